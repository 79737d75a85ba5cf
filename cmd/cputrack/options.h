/* The command line of cputrack. */
#ifndef CPUTRACK_OPTIONS_H
#define CPUTRACK_OPTIONS_H

#include <stdint.h>
#include <sys/types.h>

#include "common/options.h"

struct options {
	int capabilities; /* -h */
	int chart;	  /* --chart */
	unsigned nspecs;
	const char **spec; /* -c */
	int debug;	   /* -D */
	int follow_exec;   /* -e */
	int follow_fork;   /* -f */
	int no_title;	   /* -n */
	unsigned samples;  /* -N; 0: no limit */
	char *output;	   /* -o with its placeholders expanded, or NULL; to be freed */
	pid_t pid;	   /* -p, or 0 */
	int tick;	   /* -t */
	unsigned msec;	   /* -T */
	int verbose;	   /* -v */
	int names;	   /* --names */
	int threads;	   /* --threads */
	enum tracker tracker;
	/* The option that needs rows: -T, -N, -t, -v, --chart, --threads; or NULL. */
	const char *rows;
	struct options_shared shared;
	char **argv; /* the command; argv[0] NULL: none */
};

/*
 * Parses the command line. o->spec is allocated and the caller's to free. Exits with 0 on
 * --help and --version, and with EXIT_USAGE on an invalid command line.
 */
void options_parse(struct options *o, int argc, char **argv);

#endif
