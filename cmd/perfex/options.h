/* The command line of perfex. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <row.h>
#include <stdio.h>

/* Exit statuses of the tool itself; a command's own status is passed on. */
enum { EXIT_USAGE = 2, EXIT_TOOL = 125, EXIT_CANNOT_EXECUTE = 126, EXIT_NOT_FOUND = 127 };

/* What the command line asks for. */
enum action { MEASURE, COSTS, LIST, DOCTOR };

/* When and of what there are reports besides that of the whole run. */
enum manner {
	TOTAL,
	THREADS,   /* -mp: of each thread */
	SIGNALLED, /* -s: of the time between SIGUSR1 and SIGUSR2 alone */
	PERIODS	   /* -p */
};

struct options {
	enum action action;
	enum manner manner;
	unsigned nevents;
	const char **event; /* -e */
	int all;	    /* -a */
	unsigned period_ms; /* -p */
	int exceptions;	    /* -x */
	int kernel;	    /* -k */
	int statistics;	    /* -y */
	const char *output; /* -o, or NULL */
	const char *costs;  /* -c, or NULL */
	enum row_format format;
	int strict;
	const char *cpu;     /* never NULL */
	const char *engine;  /* --engine, or NULL */
	const char *pattern; /* --list=, or NULL */
	char **argv;	     /* the command; argv[0] NULL: none */
};

/*
 * Exits on --help and --version, and with EXIT_USAGE on a command line that makes no
 * sense.
 */
void options_parse(struct options *o, int argc, char **argv);

/* Words, the usage, and the end. */
void options_bad(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));

#endif
