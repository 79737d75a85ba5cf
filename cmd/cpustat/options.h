/* The command line of cpustat. */
#ifndef CPUSTAT_OPTIONS_H
#define CPUSTAT_OPTIONS_H

#include <stdint.h>

#include "common/options.h"
#include "suite/row/row.h"

struct options {
	unsigned nspecs;
	const char **spec; /* -c */
	int chart;	   /* --chart */
	int capabilities;  /* -h */
	int debug;	   /* -D */
	unsigned ncgroups;
	const char **cgroup;  /* --cgroup */
	int means;	      /* -m */
	int no_title;	      /* -n */
	int soak;	      /* -s */
	int tick;	      /* -t */
	int64_t period_ns;    /* -p, or 0 */
	enum row_stamp stamp; /* -T */
	int merged;	      /* -A was given */
	enum row_scope scope; /* -A; ROW_CGROUPS for cgroups without -A */
	unsigned bins;	      /* -A */
	const char *keys;     /* -k, or NULL */
	unsigned limit;	      /* -o, or 0 */
	const char *input;    /* -I, or NULL */
	char *output;  /* -O with its placeholders expanded, or NULL; to be freed */
	char *metrics; /* --openmetrics, as output */
	int64_t interval_ns;
	uint64_t count; /* of samples, or 0: no limit */
	struct options_shared shared;
};

/*
 * Fill *o from the command line; o->spec and o->cgroup are malloc'ed. Exits on --help and
 * --version, and with EXIT_USAGE after a message if the command line is wrong.
 */
void options_parse(struct options *o, int argc, char **argv);

/*
 * Complete and check the options of the rows, which are of cgroups or of CPUs.
 * options_parse() does this, except with -I, where the file decides. Exits with
 * EXIT_USAGE after a message.
 */
void options_check_rows(struct options *o, int cgroups);

#endif
