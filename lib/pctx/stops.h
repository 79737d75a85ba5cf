/*
 * What ptrace(2) reports of the LWPs under control, turned into the calls of
 * pctx_set_events(3CPC).
 */
#ifndef PCTX_STOPS_H
#define PCTX_STOPS_H

#include <stdint.h>
#include <sys/types.h>

#include "pctx/table.h"

/* Handle what waitpid(2) gave. LWPs and processes may be gone afterwards. */
void pctx_report(struct tracer *t, pid_t tid, int status);

/* Let go of a process: the LWPs that are stopped now, the others at their next stop. */
void pctx_leave(struct __pctx *p);

/*
 * The same, since a handler wants no more of it; e is what pctx_run() is to say if it is
 * the root.
 */
void pctx_end_tracking(struct __pctx *p, int e);

/* What was seized with its creator and is not followed must not stay stopped. */
void pctx_free_unborn(struct tracer *t);

/* Give a process its place in time: its first tick comes one interval from now. */
void pctx_schedule(struct tracer *t, struct __pctx *p, int64_t now);

int pctx_init_lwp(struct lwp *l);

/*
 * From the first stop or a PTRACE_EVENT_STOP; a group-stop goes on as such, so that job
 * control works.
 */
void pctx_resume(struct lwp *l);

#endif
