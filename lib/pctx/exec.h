/* A process that executes a program. */
#ifndef PCTX_EXEC_H
#define PCTX_EXEC_H

#include <sys/types.h>

#include "pctx/table.h"

void exec_event(struct tracer *t, struct lwp *leader);
struct lwp *exec_survivor(struct tracer *t, pid_t tid);

#endif
