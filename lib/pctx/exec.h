/* A process executes a program: PTRACE_EVENT_EXEC. */
#ifndef PCTX_EXEC_H
#define PCTX_EXEC_H

#include <sys/types.h>

#include "pctx/table.h"

/*
 * Handles the event of a process whose first LWP is leader. All LWPs of the old image end
 * (their handlers are called); the new image begins with LWP 1. May detach the process.
 */
void exec_event(struct tracer *t, struct lwp *leader);

/*
 * Finds the LWP that executed and has the tid of the first LWP since then, when the first
 * LWP is not in the table any more. Returns NULL if it is not in the table either.
 */
struct lwp *exec_survivor(struct tracer *t, pid_t tid);

#endif
