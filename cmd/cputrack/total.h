/*
 * Counts a command without a tracer (common/whole.h): as a whole, for one set of final
 * values (--summary), or each LWP, with a row when it ends (--tracker=records and
 * --tracker=bpf).
 */
#ifndef CPUTRACK_TOTAL_H
#define CPUTRACK_TOTAL_H

#include <libcpc.h>
#include "common/out.h"
#include "common/recording.h"
#include "cpc/lifetimes.h"
#include "options.h"
#include "suite/request/sets.h"

/* Report that the command has executed another program, and that there was no -e. */
void total_exec_left(pid_t pid);

/*
 * Count the command of the options, and put a row of each set and the end of the run into
 * the recording. Returns the exit status.
 */
int total_count(const struct options *o, cpc_t *cpc, struct sets *sets, struct out *out,
		struct recording *recording);

/*
 * Count the command with rows of each LWP, if the kernel reports the lives of LWPs.
 * Returns the exit status; or -1 if that is not possible, and the command has not run:
 * then reason, of size bytes, says why.
 */
int total_count_lwps(const struct options *o, cpc_t *cpc, struct sets *sets,
		     enum lifetimes_by by, struct out *out, struct recording *recording,
		     char *reason, size_t size);

#endif
