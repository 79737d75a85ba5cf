/* The processes and LWPs that one pctx_run() controls, and how they are looked up. */
#ifndef PCTX_TABLE_H
#define PCTX_TABLE_H

#include <signal.h>
#include <stdint.h>

#include <libpctx.h>
#include "pctx/comm.h"
#include "pctx/wake.h"

/*
 * A new LWP is reported twice, in either order: by its creator's ptrace event, which
 * says to which process the LWP belongs, and by its own first stop.
 */
enum lwp_state {
	LWP_STOPPED,   /* the first stop was reported, the creator's event was not */
	LWP_ANNOUNCED, /* the creator's event was reported, the first stop was not */
	LWP_LIVE       /* both were reported */
};

struct lwp {
	pid_t tid;
	enum lwp_state state;
	id_t id;      /* number in its process, from 1; 0: none assigned yet */
	int stopped;  /* it is in a ptrace stop and was not resumed */
	int stop;     /* signal number of its last ptrace stop */
	int calls;    /* its system calls are watched */
	int in_vfork; /* it sleeps in vfork(2) until its child executes or exits */
	/* LWP_ANNOUNCED: the creator is the LWP of this number in proc. */
	id_t creator;
	struct __pctx *proc; /* its process; NULL: detach it at its first stop */
	void *data;	     /* pctx_lwp_data() */
	int ended;	     /* what /proc has by its tid is not of this LWP any more */
	struct name name;    /* that it had at its end; only with tracer.names */
	struct stopcount *stops; /* the count of its stops; NULL: not counted */
	struct lwp *next, *prev; /* LWP_LIVE: in proc, by ascending id */
	struct lwp *chain;	 /* next in the same hash bucket */
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

/* A process. */
struct __pctx {
	struct tracer *t;
	pid_t pid;
	void *arg; /* the caller's argument of each handler */
	struct handlers h;
	int follow;    /* pctx_follow() was called */
	int detaching; /* each of its LWPs is detached at its next stop */
	int leaving;   /* pctx_release() was called in a handler: detaching begins soon */
	int launched;  /* it runs the launcher, which executes the program next */
	struct name launcher; /* of what the launcher executes; only with tracer.names */
	int64_t due;	      /* next tick, ns of CLOCK_MONOTONIC */
	uint_t left;	      /* ticks to do; 0: no limit */
	id_t last_id;	      /* the LWP number that was assigned last */
	struct lwp *first, *last;
	struct lwp *cursor; /* the LWP that was looked up last, or NULL */
	struct __pctx *next, *prev;
};

/* All that one pctx_run() controls; created with the first handle and freed with it. */
struct tracer {
	/* the caller's handle; also in the list below while its process lives */
	struct __pctx *root;
	struct __pctx *first, *last; /* processes, in the order of their creation */
	struct tracer *older;	     /* the thread's next one */
	pid_t thread;		     /* the thread that traces */
	unsigned busy;		     /* calls in progress that call handlers */
	int leaving;		     /* a process is leaving */
	struct lwp **bucket;	     /* hash table of all LWPs by tid */
	unsigned nbuckets, nlwps;
	unsigned nunborn; /* LWPs that are not LWP_LIVE */
	int created;	  /* by pctx_create(): the program is killed if the caller dies */
	const struct pctx_watch *watch; /* of pctx_watch(), or NULL */
	char *launcher; /* path of the launcher of pctx_create_behind(), or NULL */
	int names;	/* pctx_keep_names() was called */
	int verbose;
	pctx_errfn_t *errfn; /* NULL: messages go to stderr */
	volatile sig_atomic_t stop;
	struct wake wake; /* interrupts the wait for the next report */
	int64_t interval; /* between ticks, ns; 0: no ticks */
	int64_t next_due; /* the earliest due of all processes, ns; 0: none */
	uint_t nsamples;  /* ticks of each process; 0: no limit */
	int (*tick)(pctx_t *, pid_t, id_t, void *);
	int interrupted;       /* pctx_stop() ended the last run */
	unsigned long skipped; /* ticks whose time had passed */
	unsigned long signals; /* stops of LWPs for signals */
	int error;	       /* errno if the root was detached early, or 0 */
	unsigned nlost;	       /* LWPs that were not followed, for want of memory */
	int killed;	       /* SIGKILL has ended an LWP */
	int ended;	       /* the root's process has ended ... */
	int status;	       /* ... with this wait status */
};

/* Returns NULL with ENOMEM on failure. */
struct tracer *tracer_new(int created, int verbose, pctx_errfn_t *errfn);

/*
 * Returns whether the calling thread has a handle p that was not freed. A handle that was
 * freed can still be read (base/pool.h).
 */
int pctx_is_handle(const struct __pctx *p);

/*
 * Returns whether a call of the library that calls handlers is in progress in this
 * thread.
 */
int tracer_is_busy(void);

/* Returns whether the calling thread has no tracer but t. */
int tracer_is_only(const struct tracer *t);

/* Frees t with all its processes and LWPs, the root too. NULL is allowed. */
void tracer_free(struct tracer *t);

/*
 * Adds a process without LWPs to the end of the list. It gets the handlers and the arg of
 * its parent, if parent is not NULL. Returns NULL with ENOMEM on failure.
 */
struct __pctx *proc_new(struct tracer *t, pid_t pid, const struct __pctx *parent);

/*
 * Removes a process and its LWPs, and frees it. The struct of the root is only freed by
 * tracer_free().
 */
void proc_drop(struct __pctx *p);

/* Returns whether p is still under control. */
int proc_listed(const struct __pctx *p);

/* Both return NULL if there is no such LWP. */
struct lwp *lwp_find(const struct tracer *t, pid_t tid);
struct lwp *lwp_by_number(struct __pctx *p, id_t id);

/* Adds an LWP whose tid is not in the table. Returns NULL with ENOMEM on failure. */
struct lwp *lwp_new(struct tracer *t, pid_t tid, enum lwp_state state);

/*
 * Assigns the next number of p to an LWP that will join p, because LWPs can reach their
 * first stops in another order than they were created in.
 */
void lwp_assign_number(struct lwp *l, struct __pctx *p);

/* Makes l a live LWP of p. If l has no number yet, it gets the next one. */
void lwp_join(struct lwp *l, struct __pctx *p);

/* Changes the tid, as the kernel does for a thread other than the first that executes. */
void lwp_rename(struct tracer *t, struct lwp *l, pid_t tid);

/* Removes an LWP from the table and from its process, and frees it. */
void lwp_drop(struct tracer *t, struct lwp *l);

#endif
