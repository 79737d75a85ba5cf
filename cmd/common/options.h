/* The options that all commands have, with the same meaning. */
#ifndef COMMON_OPTIONS_H
#define COMMON_OPTIONS_H

#include <getopt.h>
#include <stdio.h>

#include "base/text.h"

/* What getopt_long(3) returns for them: more than any letter. */
enum {
	SUITE_CPU = 256,
	SUITE_DOCTOR,
	SUITE_ENGINE,
	SUITE_EXPLAIN,
	SUITE_FORMAT,
	SUITE_HELP,
	SUITE_LIST,
	SUITE_STRICT,
	SUITE_VERSION,
	SUITE_END /* commands' own long options from here on */
};

/* For the long options of a command. */
/* clang-format off */
#define SUITE_OPTIONS \
	{"cpu", required_argument, NULL, SUITE_CPU}, \
	{"doctor", no_argument, NULL, SUITE_DOCTOR}, \
	{"engine", required_argument, NULL, SUITE_ENGINE}, \
	{"explain", no_argument, NULL, SUITE_EXPLAIN}, \
	{"format", required_argument, NULL, SUITE_FORMAT}, \
	{"help", no_argument, NULL, SUITE_HELP}, \
	{"list", optional_argument, NULL, SUITE_LIST}, \
	{"strict", no_argument, NULL, SUITE_STRICT}, \
	{"version", no_argument, NULL, SUITE_VERSION}
/* clang-format on */

/* What they ask for. */
struct suite {
	const char *cpu;	 /* --cpu, or NULL */
	const char *engine;	 /* --engine, or NULL */
	const char *pattern;	 /* --list=, or NULL */
	enum text_format format; /* --format */
	int strict;		 /* --strict */
	enum { SUITE_NOTHING, SUITE_TO_LIST, SUITE_TO_DOCTOR, SUITE_TO_EXPLAIN } tell;
};

/* How a command words its usage. */
struct suite_command {
	const char *name;
	void (*usage)(FILE *out);
	/* words, what is right, and the end */
	void (*bad)(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));
};

/*
 * Take what getopt_long(3) returned. Exits on --help and --version, and with the usage on
 * what is none of these options.
 */
void suite_option(struct suite *s, const struct suite_command *command, int c);

#endif
