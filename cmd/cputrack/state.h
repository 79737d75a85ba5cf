/* A run of cputrack: what is counted of each LWP and process, and the rows made of it. */
#ifndef CPUTRACK_STATE_H
#define CPUTRACK_STATE_H

#include <libcpc.h>
#include <libpctx.h>
#include "base/ring.h"
#include "check.h"
#include "common/notes.h"
#include "common/out.h"
#include "options.h"
#include "suite/request/sets.h"
#include "suite/row/row.h"

/* What is known of an LWP or a process, by set. */
struct totals {
	cpc_buf_t *buf;
	int sampled;
};

struct counted_lwp {
	struct ring all;
	unsigned current; /* the set whose turn it is */
	int bound;	  /* it is being counted */
	struct counted_set {
		cpc_set_t *set;	 /* NULL: never bound */
		cpc_buf_t *last; /* the sample before */
		struct totals total;
	} set[];
};

struct counted_proc {
	struct ring all;
	struct track *track;
	pctx_t *pctx;
	pid_t pid;
	struct totals total[];
};

struct track {
	const struct options *options;
	cpc_t *cpc;
	struct sets *sets;
	struct out *out;
	struct notes *notes;
	struct row_style style;
	pctx_t *pctx;
	int begun;		      /* an LWP is counted, the title is printed */
	hrtime_t start;		      /* time 0 of the rows */
	cpc_buf_t **now, **delta;     /* scratch, one of each for a set */
	cpc_value_t *value;	      /* scratch, of the largest set */
	const struct row_set **shown; /* of each set, for the notes */
	struct ring lwps, procs;      /* heads */
	struct check check;
	pid_t root;
	int ended, status; /* of the root's process */
	int exec_left;	   /* the root's exec was not followed */
	int failed;	   /* something that was to be counted was not */
};

#endif
