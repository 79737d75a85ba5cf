/*
 * --summary: counts a command as a whole, without a tracer (common/whole.h), for one set
 * of final values.
 */
#ifndef CPUTRACK_TOTAL_H
#define CPUTRACK_TOTAL_H

#include <libcpc.h>
#include "common/out.h"
#include "common/recording.h"
#include "options.h"
#include "suite/request/sets.h"

/* Returns whether the sets have breakpoints at names, which only a tracer can look up. */
int total_needs_tracer(const struct sets *sets);

/*
 * Count the command of the options, and put a row of each set and the end of the run into
 * the recording. Returns the exit status.
 */
int total_count(const struct options *o, cpc_t *cpc, struct sets *sets, struct out *out,
		struct recording *recording);

#endif
