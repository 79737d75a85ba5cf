/* A run of cputrack: what it does when something happens to the process. */
#ifndef CPUTRACK_TRACK_H
#define CPUTRACK_TRACK_H

#include <sys/types.h>

#include <libcpc.h>
#include <libpctx.h>
#include "common/out.h"
#include "options.h"
#include "state.h"
#include "suite/request/sets.h"

/* Ready to count with these sets; 0, or -1 with ENOMEM. track_close() in either case. */
int track_open(struct track *t, const struct options *o, cpc_t *cpc, struct sets *sets,
	       struct out *out);
void track_close(struct track *t);

/* Take control of a process: the handlers, its first state. -1: ENOMEM. */
int track_adopt(struct track *t, pctx_t *pctx, pid_t pid);

/* Let it run until the end. As pctx_run(). */
int track_run(struct track *t);

/* A last row for each LWP that is still there. */
void track_detach(struct track *t);

#endif
