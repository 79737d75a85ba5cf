/* The command line of perfex. */
#ifndef PERFEX_OPTIONS_H
#define PERFEX_OPTIONS_H

#include "common/options.h"

/* The reports that are printed in addition to the report of the whole run. */
enum mode {
	MODE_TOTAL,
	MODE_THREADS, /* -mp: a report of each thread */
	MODE_SIGNALS, /* -s: none, and only the time from SIGUSR1 to SIGUSR2 counts */
	MODE_PERIODS  /* -p: a line for each period */
};

struct options {
	enum mode mode;
	int table; /* -t */
	unsigned nevents;
	const char **event; /* -e */
	int all;	    /* -a */
	unsigned period_ms; /* -p */
	int exceptions;	    /* -x */
	int kernel;	    /* -k */
	enum tracker tracker;
	int statistics;	   /* -y */
	char *output;	   /* -o with its placeholders expanded, or NULL; to be freed */
	const char *costs; /* -c, or NULL */
	struct options_shared shared; /* .cpu is never NULL */
	char **argv;		      /* the command; argv[0] is NULL without one */
};

/*
 * Fill *o from the command line; o->event is malloc'ed. Exits on --help and --version,
 * and with EXIT_USAGE after a message if the command line is wrong.
 */
void options_parse(struct options *o, int argc, char **argv);

#endif
