/* The LWPs and processes that cputrack counts: their sets, samples and totals. */
#ifndef CPUTRACK_LWPS_H
#define CPUTRACK_LWPS_H

#include "state.h"

void lwps_buf_free(cpc_t *cpc, cpc_buf_t *buf);
void lwps_free(struct track *t, struct counted_lwp *l);
struct counted_lwp *lwps_new(struct track *t);
void lwps_proc_free(struct counted_proc *p);
struct counted_proc *lwps_proc_new(struct track *t, pctx_t *pctx, pid_t pid);
struct counted_lwp *lwps_find(pctx_t *pctx, id_t lwpid);
int lwps_bind(struct track *t, pctx_t *pctx, id_t lwpid, struct counted_lwp *l);
int lwps_sample(struct track *t, struct counted_lwp *l);

#endif
