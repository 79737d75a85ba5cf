/* The command line of cputrack. */
#ifndef CPUTRACK_OPTIONS_H
#define CPUTRACK_OPTIONS_H

#include <stdio.h>
#include <sys/types.h>

#include "common/options.h"

struct options {
	int capabilities; /* -h */
	unsigned nspecs;
	const char **spec;  /* -c */
	int debug;	    /* -D */
	int follow_exec;    /* -e */
	int follow_fork;    /* -f */
	int no_title;	    /* -n */
	unsigned samples;   /* -N; 0: no limit */
	const char *output; /* -o, or NULL */
	pid_t pid;	    /* -p, or 0 */
	int tick;	    /* -t */
	unsigned msec;	    /* -T */
	int verbose;	    /* -v */
	struct suite suite;
	char **argv; /* the command; argv[0] NULL: none */
};

/*
 * Exits on --help and --version, and with EXIT_USAGE on a command line that makes no
 * sense.
 */
void options_parse(struct options *o, int argc, char **argv);

void options_usage(FILE *out);

/*
 * After a bad specification: the synopsis alone, so that the message stays in sight.
 * Exits.
 */
void options_bad_spec(void) __attribute__((noreturn));

#endif
