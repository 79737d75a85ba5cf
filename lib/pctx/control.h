/* Resumes and detaches LWPs and processes, and calls their handlers. */
#ifndef PCTX_CONTROL_H
#define PCTX_CONTROL_H

#include <sys/types.h>

#include "pctx/table.h"

/*
 * Resumes an LWP from a ptrace stop and delivers signal sig to it; 0: no signal. If the
 * LWP was killed meanwhile, nothing happens.
 */
void lwp_resume(struct lwp *l, int sig);

/*
 * Resumes an LWP from its first stop or another PTRACE_EVENT_STOP. An LWP in a group stop
 * stays stopped until SIGCONT, so that job control works.
 */
void lwp_resume_event_stop(struct lwp *l);

/* Detaches a stopped LWP, which runs on with signal sig (0: none), and frees l. */
void lwp_detach(struct tracer *t, struct lwp *l, int sig);

/*
 * Detaches the stopped LWPs of a process now and the other ones at their next stop. May
 * free p.
 */
void proc_detach(struct __pctx *p);

/* As proc_detach(). If p is the root, pctx_run() fails with errno e; 0: it succeeds. */
void proc_end_tracking(struct __pctx *p, int e);

/*
 * Reports that an LWP or a process is not followed, because of errno e. pctx_run() will
 * fail with ENOMEM. The caller detaches the LWP.
 */
void lwp_not_followed(struct tracer *t, pid_t tid, int e);

/*
 * Returns the count of the stops of an LWP, which begins at the first such call and may
 * outlive the LWP, for the caller to drop. Returns NULL with ESRCH or ENOMEM.
 */
struct stopcount *lwp_stopcount(pctx_t *pctx, id_t lwpid);

/* Returns how many times LWPs were stopped for the delivery of a signal. */
unsigned long pctx_signal_stops(const pctx_t *pctx);

/* Calls init_lwp and returns what the handler returned, or 0 without a handler. */
int lwp_call_init(struct lwp *l);

/* Calls fini_lwp. */
void lwp_call_fini(struct lwp *l);

/* Calls fini_lwp and lwp_exit of an LWP that has ended, and frees l. */
void lwp_ended(struct lwp *l);

/*
 * Returns the message of the last ptrace event of a stopped LWP; 0: the LWP was killed.
 */
pid_t lwp_event_message(pid_t tid);

#endif
