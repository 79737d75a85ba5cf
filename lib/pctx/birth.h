/* New LWPs and processes: their creator's event and their own first stop. */
#ifndef PCTX_BIRTH_H
#define PCTX_BIRTH_H

#include <sys/types.h>

#include "pctx/table.h"

void birth_event(struct tracer *t, struct lwp *l, int event);
void birth_announce(struct tracer *t, const struct lwp *creator, pid_t tid, int event);
void birth_complete(struct tracer *t, struct lwp *l);
void birth_settle(struct tracer *t, struct __pctx *p);

/* What was seized with its creator and is not followed must not stay stopped. */
void birth_detach_all(struct tracer *t);

#endif
