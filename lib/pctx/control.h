/* What the tracer does to LWPs and processes: it resumes and detaches them, and calls their handlers. */
#ifndef PCTX_CONTROL_H
#define PCTX_CONTROL_H

#include <sys/types.h>

#include "pctx/table.h"

/*
 * Let an LWP go on from a stop; sig is delivered to it, 0 for none. ESRCH: it was killed
 * meanwhile.
 */
void lwp_resume(struct lwp *l, int sig);

/*
 * From the first stop or a PTRACE_EVENT_STOP; a group-stop goes on as such, so that job
 * control works.
 */
void lwp_resume_event_stop(struct lwp *l);

void lwp_detach(struct tracer *t, struct lwp *l, int sig);

/* Let go of a process: the LWPs that are stopped now, the others at their next stop. */
void proc_detach(struct __pctx *p);

/*
 * The same, since a handler wants no more of it; e is what pctx_run() is to say if it is
 * the root.
 */
void proc_end_tracking(struct __pctx *p, int e);

int lwp_call_init(struct lwp *l);
void lwp_call_fini(struct lwp *l);
void lwp_ended(struct lwp *l);
pid_t lwp_event_message(pid_t tid);

#endif
