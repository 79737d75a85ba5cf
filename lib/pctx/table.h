/* The processes and LWPs that one pctx_run() controls, and how they are found. */
#ifndef PCTX_TABLE_H
#define PCTX_TABLE_H

#include <signal.h>
#include <stdint.h>

#include <libpctx.h>
#include "pctx/wake.h"

/*
 * A new LWP is known from two reports that come in either order: its creator's ptrace
 * event, which says whose child it is, and its own first stop.
 */
enum lwp_state {
	LWP_STOPPED,   /* its first stop came, its creator is not known */
	LWP_ANNOUNCED, /* its creator's event came, its first stop did not */
	LWP_LIVE
};

struct lwp {
	pid_t tid;
	enum lwp_state state;
	id_t id;      /* number in its process, 1 for the first; 0: has none yet */
	int stopped;  /* it waits in a stop that was reported */
	int stop;     /* signal of the last such stop */
	int in_vfork; /* asleep in the kernel until its child execs or exits */
	/* LWP_ANNOUNCED: made by the LWP with this number ... */
	id_t creator;
	struct __pctx *proc;	 /* ... in this process; NULL: not wanted */
	void *data;		 /* pctx_lwp_data() */
	struct lwp *next, *prev; /* LWP_LIVE: in proc, in the order of birth */
	struct lwp *chain;	 /* in its hash bucket */
};

struct handlers {
	pctx_sysc_execfn_t *exec;
	pctx_sysc_forkfn_t *fork;
	pctx_sysc_exitfn_t *exit;
	pctx_sysc_lwp_createfn_t *lwp_create;
	pctx_init_lwpfn_t *init_lwp;
	pctx_fini_lwpfn_t *fini_lwp;
	pctx_sysc_lwp_exitfn_t *lwp_exit;
};

/* One process. */
struct __pctx {
	struct tracer *t;
	pid_t pid;
	void *arg;
	struct handlers h;
	int follow;   /* pctx_follow() was called */
	int leaving;  /* being let go: each LWP at its next stop */
	int launched; /* the launcher runs, and executes the program next */
	int64_t due;  /* next tick, ns of CLOCK_MONOTONIC */
	uint_t left;  /* ticks to do; 0: no limit */
	id_t last_id; /* the LWP number given last */
	struct lwp *first, *last;
	struct lwp *cursor; /* the LWP that was asked for last, or NULL */
	struct __pctx *next, *prev;
};

/* All that one pctx_run() controls; made with the first handle and freed with it. */
struct tracer {
	/* the caller's handle; listed below while its process lives */
	struct __pctx *root;
	struct __pctx *first, *last; /* processes, in the order of their birth */
	struct lwp **bucket;
	unsigned nbuckets, nlwps;
	unsigned nunborn; /* LWPs that are not LWP_LIVE */
	int created;	  /* made by pctx_create(): the program dies with us */
	char *launcher;	  /* pctx_create_behind(): its path; else NULL */
	int verbose;
	pctx_errfn_t *errfn;
	volatile sig_atomic_t stop;
	struct wake wake; /* interrupts the wait for the next report */
	int64_t interval; /* between ticks, ns; 0: none */
	int64_t next_due; /* the earliest of the processes' due */
	uint_t nsamples;
	int (*tick)(pctx_t *, pid_t, id_t, void *);
	unsigned long skipped;
	int error;  /* errno with which the root's tracking ended early, or 0 */
	int ended;  /* the root's process has ended ... */
	int status; /* ... with this wait status */
};

/* NULL: ENOMEM. */
struct tracer *tracer_new(int created, int verbose, pctx_errfn_t *errfn);

/* With all its processes and LWPs, the root too. NULL is allowed. */
void tracer_free(struct tracer *t);

/*
 * A process without LWPs, last in the list; its handlers and arg are those of from (or
 * none). NULL: ENOMEM.
 */
struct __pctx *proc_new(struct tracer *t, pid_t pid, const struct __pctx *from);

/* Forget a process and its LWPs. The root's struct stays until tracer_free(). */
void proc_drop(struct __pctx *p);

/* Is p (still) under control? */
int proc_listed(const struct __pctx *p);

/* NULL: no such LWP. */
struct lwp *lwp_find(const struct tracer *t, pid_t tid);
struct lwp *lwp_number(struct __pctx *p, id_t id);

/* NULL: ENOMEM. tid must be new. */
struct lwp *lwp_new(struct tracer *t, pid_t tid, enum lwp_state state);

/* Give an LWP that is to join p the next number there: LWPs stop first in any order. */
void lwp_reserve(struct lwp *l, struct __pctx *p);

/* Make it one of p, by its number, or the next if it has none. */
void lwp_join(struct lwp *l, struct __pctx *p);

/* The kernel has given the LWP another tid (exec of a thread that was not the first). */
void lwp_rename(struct tracer *t, struct lwp *l, pid_t tid);

void lwp_drop(struct tracer *t, struct lwp *l);

#endif
