/* Which way of learning of LWPs can do what the options ask for (--tracker). */
#ifndef CPUTRACK_TRACKER_H
#define CPUTRACK_TRACKER_H

#include <libcpc.h>
#include "cpc/lifetimes.h"
#include "options.h"
#include "suite/request/sets.h"

/* Returns whether the sets have breakpoints at names, which only a tracer can look up. */
int tracker_looks_names_up(const struct sets *sets);

/*
 * Returns why records of the kernel, or BPF programs, do not have what the options ask
 * for, or NULL. terminal: the output is a terminal, where --threads shows each interval.
 */
const char *tracker_obstacle(const struct options *o, cpc_t *cpc, const struct sets *sets,
			     enum lifetimes_by by, int terminal);

/*
 * Are records of the kernel, or BPF programs, to be used if there is no obstacle? Without
 * a choice by the user, they are used where they give the same rows as a tracer.
 */
int tracker_wanted(const struct options *o, const struct sets *sets,
		   enum lifetimes_by by);

#endif
