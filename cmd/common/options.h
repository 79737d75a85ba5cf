/* The options that all commands have, with the same meaning. */
#ifndef COMMON_OPTIONS_H
#define COMMON_OPTIONS_H

#include <getopt.h>
#include <stdio.h>

#include "base/text.h"

/* What getopt_long(3) returns for them: more than any letter. */
enum {
	OPTIONS_CPU = 256,
	OPTIONS_DOCTOR,
	OPTIONS_ENGINE,
	OPTIONS_EXPLAIN,
	OPTIONS_FORMAT,
	OPTIONS_HELP,
	OPTIONS_LIST,
	OPTIONS_STRICT,
	OPTIONS_VERSION,
	OPTIONS_END /* commands' own long options from here on */
};

/* For the long options of a command. */
/* clang-format off */
#define OPTIONS_SHARED \
	{"cpu", required_argument, NULL, OPTIONS_CPU}, \
	{"doctor", no_argument, NULL, OPTIONS_DOCTOR}, \
	{"engine", required_argument, NULL, OPTIONS_ENGINE}, \
	{"explain", no_argument, NULL, OPTIONS_EXPLAIN}, \
	{"format", required_argument, NULL, OPTIONS_FORMAT}, \
	{"help", no_argument, NULL, OPTIONS_HELP}, \
	{"list", optional_argument, NULL, OPTIONS_LIST}, \
	{"strict", no_argument, NULL, OPTIONS_STRICT}, \
	{"version", no_argument, NULL, OPTIONS_VERSION}
/* clang-format on */

/* What they ask for. */
struct options_shared {
	const char *cpu;	 /* --cpu, or NULL */
	const char *engine;	 /* --engine, or NULL */
	const char *pattern;	 /* --list=, or NULL */
	enum text_format format; /* --format */
	int strict;		 /* --strict */
	enum {
		OPTIONS_MEASURE,
		OPTIONS_SHOW_LIST,
		OPTIONS_SHOW_DOCTOR,
		OPTIONS_SHOW_EXPLAIN
	} show;
};

/* How a command words its usage. */
struct options_command {
	const char *name;
	void (*usage)(FILE *out);
	/* words, what is right, and the end */
	void (*bad)(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));
};

/*
 * Take what getopt_long(3) returned. Exits on --help and --version, and with the usage on
 * what is none of these options.
 */
void options_shared_parse(struct options_shared *s, const struct options_command *command,
			  int c);

#endif
