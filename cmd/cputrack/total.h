/*
 * Counts a command without a tracer (common/whole.h): as a whole, for one set of final
 * values (--summary), or each LWP, with a row when it ends (--tracker=records).
 */
#ifndef CPUTRACK_TOTAL_H
#define CPUTRACK_TOTAL_H

#include <libcpc.h>
#include "common/out.h"
#include "common/recording.h"
#include "cpc/lifetimes.h"
#include "options.h"
#include "suite/request/sets.h"

/* Returns whether the sets have breakpoints at names, which only a tracer can look up. */
int total_needs_tracer(const struct sets *sets);

/* Report that the command has executed another program, and that there was no -e. */
void total_exec_left(pid_t pid);

/*
 * Count the command of the options, and put a row of each set and the end of the run into
 * the recording. Returns the exit status.
 */
int total_count(const struct options *o, cpc_t *cpc, struct sets *sets, struct out *out,
		struct recording *recording);

/*
 * Returns why records of the kernel, or BPF programs, do not have what the options ask
 * for, or NULL. terminal: the output is a terminal, where --threads shows each interval.
 */
const char *total_lwps_obstacle(const struct options *o, cpc_t *cpc,
				const struct sets *sets, enum lifetimes_by by,
				int terminal);

/*
 * Are records of the kernel, or BPF programs, to be used if there is no obstacle? Without
 * a choice by the user, they are used where they give the same rows as a tracer.
 */
int total_lwps_wanted(const struct options *o);

/*
 * Count the command with rows of each LWP, if the kernel reports the lives of LWPs.
 * Returns the exit status; or -1 if that is not possible, and the command has not run:
 * then reason, of size bytes, says why.
 */
int total_count_lwps(const struct options *o, cpc_t *cpc, struct sets *sets,
		     enum lifetimes_by by, struct out *out, struct recording *recording,
		     char *reason, size_t size);

#endif
