/*
 * Creation of LWPs and processes. It is complete when both the creator's ptrace event and
 * the first stop of the new LWP were reported, in either order.
 */
#ifndef PCTX_BIRTH_H
#define PCTX_BIRTH_H

#include <sys/types.h>

#include "pctx/table.h"

/*
 * Handles PTRACE_EVENT_CLONE, _FORK or _VFORK, in which the creator l is stopped, and
 * resumes l.
 */
void birth_event(struct tracer *t, struct lwp *l, int event);

/* The same for the new LWP only, whose tid the event reported; creator stays stopped. */
void birth_announce(struct tracer *t, const struct lwp *creator, pid_t tid, int event);

/* Adds an LWP of which both reports have come, and calls its handlers. May free l. */
void birth_complete(struct tracer *t, struct lwp *l);

/*
 * When process p has ended: completes the creation of the LWPs that p announced. Detaches
 * stopped LWPs of which no creator's event can come any more.
 */
void birth_settle(struct tracer *t, struct __pctx *p);

/* Detaches all LWPs whose creation is not complete, so that none stays stopped. */
void birth_detach_all(struct tracer *t);

#endif
