/* A run of cputrack: the handlers of the process's events. */
#ifndef CPUTRACK_TRACK_H
#define CPUTRACK_TRACK_H

#include <sys/types.h>

#include <libcpc.h>
#include <libpctx.h>
#include "common/out.h"
#include "common/recording.h"
#include "options.h"
#include "state.h"
#include "suite/request/sets.h"

/* Returns the layout of the rows of a run. */
struct row_style track_style(const struct options *o, const struct sets *sets);

/*
 * Initialises a run, and the sets of the recording; the arguments must outlive the run.
 * Returns 0, or -1 with ENOMEM. In either case track_close() frees what was allocated.
 */
int track_open(struct track *t, const struct options *o, cpc_t *cpc, struct sets *sets,
	       struct out *out, struct recording *recording);
void track_close(struct track *t);

/* Sets the handlers of a process under control. Returns 0, or -1 with ENOMEM. */
int track_adopt(struct track *t, pctx_t *pctx, pid_t pid);

/* Runs the process and prints rows until it ends. Returns what pctx_run() returned. */
int track_run(struct track *t);

/*
 * When the program has ended: compares what was counted with the whole tree of processes,
 * and prints what is in no other row if the descriptors did not suffice for all LWPs.
 */
void track_compare(struct track *t);

/* Prints a last row of each LWP that is still under control. */
void track_detach(struct track *t);

#endif
