/*
 * The regions of one thread: which of them are open, and what the thread counted in each.
 * The thread itself writes here; a report reads while the thread goes on, and may then
 * see a call of a region that is not yet in all of its sums.
 */
#ifndef REGION_THREAD_H
#define REGION_THREAD_H

#include <sys/types.h>

#include "base/ring.h"
#include "cpc/cpc.h"
#include "region/names.h"

/* What the threads of a process count. */
struct region_events {
	cpc_t *cpc;
	cpc_set_t *set;
	unsigned n; /* number of events */
	struct region_names names;
};

/* The sums of an event over calls of a region. */
struct region_sum {
	uint64_t count;
	uint64_t lost; /* ns for which the event was enabled and did not run */
};

/* The kinds of sums over the calls of a region that have ended. */
enum {
	REGION_ALL,
	REGION_REPEATED, /* the calls inside other calls of the region */
	REGION_INNER,	 /* the calls of all regions inside the calls */
	REGION_NSUMS
};

/* A region in one thread. */
struct region {
	const struct region_name *name;
	unsigned depth; /* how many of its calls are open: a region can call itself */
	uint64_t calls; /* calls that have ended */
	uint64_t cut;	/* of these, the calls that ended with the thread or process */
	/* of each kind: ns for which the events, which begin together, were enabled */
	uint64_t enabled[REGION_NSUMS];
	struct region_sum sum[]; /* of each kind, of each event */
};

/*
 * A call of a region that is open; or, without a region, what the thread does outside of
 * regions.
 */
struct region_call {
	struct region *region;
	const char *given; /* the name that the caller passed, which may be gone */
	struct region_call *outer; /* the call that this one is in; NULL without region */
	struct region_call *spare; /* for a call inside this one; NULL: none as yet */
	unsigned is_outer;	   /* a region inside the call has ended */
	uint64_t inner_enabled;
	struct region_sum *inner; /* of each event: the sum over the regions inside */
	struct count start[];	  /* of each event: the count at the beginning */
};

/* A region that was used lately. */
struct region_hint {
	struct region *region;
	const char *constant; /* the name that the caller passed, if it cannot change */
};

enum { REGION_HINTS = 64 };

/* Why a call of the thread cannot begin at once. */
enum {
	REGION_BUSY = 1, /* a signal handler has interrupted another call */
	REGION_STALE = 2 /* in a child of fork(2): region_thread_restart() is due */
};

struct region_thread {
	struct ring link; /* for the owner of the thread's regions */
	pid_t tid;
	unsigned flags; /* REGION_* */
	struct region_events *events;
	const struct engine_ops *ops;
	struct group *group;		    /* NULL: the thread has no counters */
	struct region_call *outside, *last; /* last: began last and is open; or outside */
	unsigned nregions;
	struct region **region;
	struct region_hint hint[REGION_HINTS]; /* by the addresses of the names */
	struct count now[]; /* of each event: the count that was read last */
};

/*
 * Return the regions of the calling thread with counters that run, or NULL with errno
 * after the session's error handler has got the reason. The caller holds the lock.
 */
struct region_thread *region_thread_new(struct region_events *events);

/*
 * Begin a region, or end the region that began last. Return 0, or -1 with ENOMEM, with
 * the errno of a read of the counters, or with EINVAL: the region that began last has
 * another name, or none is open.
 */
int region_thread_begin(struct region_thread *t, const char *name);
int region_thread_end(struct region_thread *t, const char *name);

/* End all open regions of the calling thread, which ends, or whose process ends. */
void region_thread_cut(struct region_thread *t);

/* Close the counters of a thread. What it has counted stays. Keeps errno. */
void region_thread_stop(struct region_thread *t);

/*
 * Begin anew in a child of fork(2), which has no counters yet: what the parent has
 * counted is forgotten, and open regions begin again. Returns -1 with errno if there are
 * no counters. The caller holds the lock.
 */
int region_thread_restart(struct region_thread *t);

/* Free a thread that has no counters, or do nothing for NULL. */
void region_thread_free(struct region_thread *t);

#endif
