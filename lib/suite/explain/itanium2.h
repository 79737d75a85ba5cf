/* The registers of an Itanium 2 for a set, found by pfm_dispatch_events(). */
#ifndef SUITE_EXPLAIN_ITANIUM2_H
#define SUITE_EXPLAIN_ITANIUM2_H

#include <stddef.h>

#include "cpc/cpc.h"
#include "suite/explain/set.h"

/*
 * Adds the registers that program the requests, for CPUs (cpus 1) or a thread (0). The
 * PMC and PMD of a counter go to its request, whose pic becomes that counter; other
 * registers go to set->shared. Returns 0, or -1 with why, of size bytes, a sentence about
 * the reason.
 */
int explain_itanium2(const struct requests *r, int cpus, struct explain_set *set,
		     char *why, size_t size);

#endif
