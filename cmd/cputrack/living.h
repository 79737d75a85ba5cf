/*
 * The processes and LWPs that are counted without a tracer (lives.h) and live, and what
 * is remembered of them.
 */
#ifndef CPUTRACK_LIVING_H
#define CPUTRACK_LIVING_H

#include <sys/types.h>

#include <libcpc.h>
#include "base/ring.h"
#include "pctx/name.h"

struct living_proc {
	struct ring link; /* in struct living, in the order of births */
	pid_t pid;
	/* the LWP that sleeps in vfork(2) until this process executes or ends, or 0 */
	pid_t sleeper;
	id_t born;		  /* LWPs, of which the last has this number */
	struct ring lwps;	  /* head of those that live */
	struct name name;	  /* of LWP 1, also after its end */
	struct living_lwp *first; /* LWP 1, if it has ended before others; or NULL */
	cpc_buf_t *total[];	  /* of each set, over the LWPs that have ended */
};

struct living_lwp {
	struct ring link; /* in the ring of its process */
	pid_t tid;
	id_t id;
	struct living_proc *proc;
	struct name name;
	cpc_buf_t **final;     /* of each set, in living_proc.first; else NULL */
	int asleep;	       /* in vfork(2) */
	int ticked;	       /* previous has values */
	int detached;	       /* it has its last row, and is not counted further */
	cpc_buf_t *previous[]; /* of each set, at the last tick; NULL before the first */
};

struct living {
	cpc_t *cpc;
	unsigned nsets;
	cpc_set_t *const *set; /* [nsets] */

	struct ring all;    /* head of the processes */
	unsigned nprocs;    /* processes that live */
	void *lwps, *procs; /* trees of tsearch(3), by tid and by pid */
};

/* The sets are the caller's. living_end() frees all processes and LWPs. */
void living_begin(struct living *l, cpc_t *cpc, unsigned nsets, cpc_set_t *const *set);
void living_end(struct living *l); /* a struct of zeros is allowed */

/* Return the process or the LWP with an id, or NULL. */
struct living_proc *living_find_proc(const struct living *l, pid_t pid);
struct living_lwp *living_find_lwp(const struct living *l, pid_t tid);

/*
 * Add a process with its LWP 1, or another LWP of a process. Return the LWP; or NULL with
 * ENOMEM: then nothing has been added.
 */
struct living_lwp *living_add_proc(struct living *l, pid_t pid);
struct living_lwp *living_add_lwp(struct living *l, struct living_proc *p, pid_t tid);

/* Free a process, which has no LWPs in its ring any more, or an LWP in a ring. */
void living_drop_proc(struct living *l, struct living_proc *p);
void living_drop_lwp(struct living *l, struct living_lwp *w);

/* Kill all processes. */
void living_kill(const struct living *l);

/* Does one of the processes still exist? */
int living_is_any_alive(const struct living *l);

/* Return the pid of the oldest process in the list, or 0 if the list is empty. */
pid_t living_first(const struct living *l);

/* Give an LWP another id. Returns -1 with ENOMEM: then the LWP cannot be found. */
int living_rename(struct living *l, struct living_lwp *w, pid_t tid);

/*
 * LWP 1 of a process has ended before others, and has counted the values in buf. Keep it
 * with these values as p->first of the process, because its rows come later. Returns -1
 * with ENOMEM: then nothing has changed.
 */
int living_keep_first(struct living *l, struct living_lwp *w, cpc_buf_t *const *buf);

/* Free the LWP 1 that living_keep_first() has kept for a process, if it has kept one. */
void living_drop_first(const struct living *l, struct living_proc *p);

/*
 * Fill buf[nsets] with bufs. Returns -1 with ENOMEM. living_free_bufs() frees those that
 * are not NULL.
 */
int living_make_bufs(const struct living *l, cpc_buf_t **buf);
void living_free_bufs(const struct living *l, cpc_buf_t **buf);

#endif
