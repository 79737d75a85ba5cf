/* The LWPs and processes that cputrack counts: their sets, samples and totals. */
#ifndef CPUTRACK_LWPS_H
#define CPUTRACK_LWPS_H

#include "state.h"

/*
 * Adds an LWP to the run; returns NULL with ENOMEM on failure. lwps_free(NULL) is
 * allowed.
 */
struct counted_lwp *lwps_new(struct track *t);
void lwps_free(struct track *t, struct counted_lwp *l);

/* Adds a process to the run; returns NULL with ENOMEM on failure. */
struct counted_proc *lwps_proc_new(struct track *t, pctx_t *pctx, pid_t pid);
void lwps_proc_free(struct counted_proc *p);

/* Destroys a buffer; NULL is allowed. */
void lwps_buf_free(cpc_t *cpc, cpc_buf_t *buf);

/* Returns the LWP with this number, or NULL if none was added. */
struct counted_lwp *lwps_find(pctx_t *pctx, id_t lwpid);

/*
 * lwps_bind_first() binds the first set to a new LWP, and the sets that are counted early
 * (struct turns). lwps_bind_next() unbinds all sets and binds the set whose turn is next.
 * Both return 0 also if the LWP has ended meanwhile and stays unbound; -1 with errno as
 * of cpc_bind_pctx() or ENOMEM.
 */
int lwps_bind_first(struct track *t, pctx_t *pctx, id_t lwpid, struct counted_lwp *l);
int lwps_bind_next(struct track *t, pctx_t *pctx, id_t lwpid, struct counted_lwp *l);

/* Unbinds all sets of an LWP, which closes their descriptors. */
void lwps_unbind(struct track *t, struct counted_lwp *l);

/*
 * Samples the sets that are bound. The counts of each set since its previous sample are
 * written to t->delta and added to the LWP's totals. Returns 0, or -1 with errno.
 */
int lwps_sample(struct track *t, struct counted_lwp *l);

/*
 * Stores the totals so far of a set in t->delta, and changes nothing else. Returns 0, or
 * -1 if the set was not counted in this LWP or cannot be read.
 */
int lwps_peek(struct track *t, const struct counted_lwp *l, unsigned set);

#endif
