/* The state of a run of cputrack, and of each LWP and process that it counts. */
#ifndef CPUTRACK_STATE_H
#define CPUTRACK_STATE_H

#include <libcpc.h>
#include <libpctx.h>
#include "base/ring.h"
#include "common/notes.h"
#include "common/out.h"
#include "common/recording.h"
#include "options.h"
#include "suite/named/named.h"
#include "suite/request/sets.h"
#include "suite/row/row.h"

/* The totals of one set in an LWP or a process. */
struct totals {
	cpc_buf_t *buf;
	int sampled; /* buf has values */
};

/* An LWP; pctx_lwp_data() points to it. */
struct counted_lwp {
	struct ring link; /* in track.lwps */
	unsigned current; /* index of the set whose turn it is */
	struct counted_set {
		cpc_set_t *set;	     /* the LWP's own copy; NULL: not bound yet */
		int bound;	     /* set is bound to the LWP */
		cpc_buf_t *previous; /* the previous sample */
		struct totals total;
	} set[]; /* one for each set of the command line */
};

/* A process; the argument of its handlers. */
struct counted_proc {
	struct ring link; /* in track.procs */
	struct track *track;
	pctx_t *pctx;
	pid_t pid;
	int left;	       /* it executed a program, and there is no -e */
	struct totals total[]; /* of each set, over the LWPs that have ended */
};

/* The turns of a set of the command line. */
struct turns {
	int early;   /* a new LWP counts the set at once, beside the first set */
	int counted; /* an LWP has counted the set */
	unsigned long missing; /* rows of process totals without values of the set */
};

/* An event that is counted in the whole tree. */
struct checked {
	unsigned set, index; /* the same event in the sets of the command line */
	int witness; /* the event is in none of the sets; its times are compared */
	enum check_kind {
		CHECK_COUNT,  /* the sums are equal if no LWP was missed */
		CHECK_FAULTS, /* a new LWP can have one before it is attached */
		CHECK_TIME    /* a new LWP runs for some time before it is attached */
	} kind;
	/* Sums over the LWPs that have ended: of the counts, and of the ns enabled. */
	uint64_t count, enabled;
};

/* The check of the whole tree (check.h). */
struct check {
	cpc_set_t *set; /* bound to the whole tree; NULL: there is no check */
	unsigned n;
	struct checked *event; /* [n], in the order of the requests of set */
	unsigned long births;  /* LWPs that the program has created */
	uint64_t unattached;   /* ns on a processor, before they were attached */
};

struct track {
	const struct options *options;
	cpc_t *cpc;
	struct sets *sets;
	struct out *out;
	struct recording *recording; /* takes the rows */
	struct notes *notes;
	struct row_style style;
	int names; /* rows have the names of LWPs */
	pctx_t *pctx;
	int started;		  /* the first LWP is counted and the title is printed */
	hrtime_t start;		  /* time 0 of the rows, ns of CLOCK_MONOTONIC */
	cpc_buf_t **now, **delta; /* scratch buffers of each set */
	cpc_value_t *value;	  /* scratch values of one row */
	const struct row_set **shown; /* the row_set of each set; notes refer to it */
	struct turns *turns;	      /* of each set */
	struct ring lwps, procs;      /* heads */
	cpc_set_t **set;	      /* the sets of the command line */
	struct named *named;	      /* breakpoints at names, or NULL */
	struct check check;
	pid_t root;	       /* the process of the command or of -p */
	int ended, status;     /* the root has ended, with this wait status */
	int exec_not_followed; /* the root executed a program, and there is no -e */
	pctx_t *releasing;     /* the process that is released because counting failed */
	int starved;	       /* an LWP was not counted for want of descriptors */
	int missed;	       /* some LWPs were not counted to their end */
	int provisional;       /* the rows being printed are provisional */
	int refused;	       /* the program has not the name of a breakpoint */
	int failed;	       /* an LWP or a process could not be counted */
};

#endif
