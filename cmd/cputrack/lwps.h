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
 * Binds the current set to its LWP. Returns 0 also if the LWP has ended meanwhile and
 * stays unbound; -1 with errno as of cpc_bind_pctx() or ENOMEM.
 */
int lwps_bind(struct track *t, pctx_t *pctx, id_t lwpid, struct counted_lwp *l);

/*
 * Samples the current set. The counts since the previous sample are written to t->delta
 * and added to the LWP's totals. Returns 0, or -1 with errno.
 */
int lwps_sample(struct track *t, struct counted_lwp *l);

#endif
