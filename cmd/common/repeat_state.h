/* The state of repeated runs. */
#ifndef COMMON_REPEAT_STATE_H
#define COMMON_REPEAT_STATE_H

#include <stdint.h>
#include <sys/types.h>

#include "notes.h"
#include "options.h"
#include "suite/request/sets.h"
#include "suite/series/saved.h"
#include "suite/series/warnings.h"

/* The line on standard error that shows how far the runs are. */
struct progress {
	int on;		     /* standard error can show it */
	int64_t start, next; /* ns of clock_ns(): of the runs, and when to show more */
};

/* A command that is run again and again. */
struct arm {
	char *const *argv;
	char **words;	 /* of --vs, malloc'ed, or NULL */
	char *command;	 /* its words joined */
	const char *why; /* of uncounted_program() */
	int uncounted;	 /* a note says that the kernel has not counted all of a run */
	int unnamed;	 /* a note says that functions have no names */
	struct facts facts;
	const char *interpreter; /* of interpreter_of(), or NULL */
	int64_t cpu;		 /* processor time of the run of this round, ns */
	uint64_t *cpu_ns;	 /* [series.n] of all runs */
	struct runs series;
	struct where *where; /* --where: counts by function of one more run, or NULL */
	uint64_t *value;     /* [nevents] of the run of this round */
	cpc_class_t *quality;
};

struct repeat {
	const struct options_shared *s;
	cpc_t *cpc;
	struct sets *sets;
	cpc_set_t **set; /* [sets->n] */
	unsigned nevents;
	struct runs_event *event;
	unsigned narms;
	struct arm *arm;	      /* the last is the candidate */
	struct row_set *show;	      /* [sets->n]: how rows show the sets */
	const struct row_set **shown; /* [sets->n]: the addresses of show */
	struct notes *notes;
	off_t input;	 /* where standard input begins, or -1: not known */
	int is_pipe;	 /* of notes_is_pipe(), before the first run */
	uint64_t seed;	 /* of the order */
	int64_t unix_ns; /* the start, ns since 1970 */
	int64_t start;	 /* ns of clock_ns(), of the first round */
	struct progress progress;
	double stolen;	    /* part of the time of all CPUs: warnings_stolen() */
	int interrupted;    /* the signal that ended the runs, or 0 */
	int failed;	    /* a run could not be counted, or ended in another way */
	struct saved saved; /* --baseline */
	char *not_gated;    /* why --limit has no result, or NULL */
};

#endif
