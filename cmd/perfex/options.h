/* The command line of perfex. */
#ifndef PERFEX_OPTIONS_H
#define PERFEX_OPTIONS_H

#include "common/options.h"

/* When and of what there are reports besides that of the whole run. */
enum mode {
	MODE_TOTAL,
	MODE_THREADS, /* -mp: of each thread */
	MODE_SIGNALS, /* -s: of the time between SIGUSR1 and SIGUSR2 alone */
	MODE_PERIODS  /* -p */
};

struct options {
	enum mode mode;
	int table; /* -t */
	unsigned nevents;
	const char **event;	      /* -e */
	int all;		      /* -a */
	unsigned period_ms;	      /* -p */
	int exceptions;		      /* -x */
	int kernel;		      /* -k */
	int statistics;		      /* -y */
	const char *output;	      /* -o, or NULL */
	const char *costs;	      /* -c, or NULL */
	struct options_shared shared; /* its cpu is never NULL */
	char **argv;		      /* the command; argv[0] NULL: none */
};

/*
 * Exits on --help and --version, and with EXIT_USAGE on a command line that makes no
 * sense.
 */
void options_parse(struct options *o, int argc, char **argv);

#endif
