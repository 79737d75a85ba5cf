/* The rows that cputrack prints. */
#ifndef CPUTRACK_ROWS_H
#define CPUTRACK_ROWS_H

#include "state.h"

int64_t rows_time(const struct track *t, hrtime_t ns);
void rows_put(struct track *t, const struct row *row);
void rows_values(struct track *t, const char *word, pctx_t *pctx, pid_t pid, id_t lwp,
		 unsigned set, cpc_buf_t *buf);
void rows_lwp_totals(struct track *t, const char *word, pctx_t *pctx, pid_t pid, id_t id,
		     const struct counted_lwp *l);
void rows_proc_totals(const struct counted_proc *p, const char *word, pctx_t *pctx,
		      id_t id);

#endif
