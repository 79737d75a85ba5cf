/* What the threads of a process counted in a region, summed up. */
#ifndef REGION_SUMMARY_H
#define REGION_SUMMARY_H

#include "base/ring.h"
#include "region/thread.h"

/* The values of an event in a region. */
struct region_values {
	cpc_value_t inclusive, exclusive; /* the sums over the threads */
	uint64_t min, median, max;	  /* of the inclusive values of the threads */
};

struct region_summary {
	const char *name;
	unsigned threads; /* that have called the region */
	uint64_t calls, cut;
	uint64_t open; /* calls that have not ended, and are not in the values */
	struct region_values value[]; /* of each event */
};

/*
 * Sum up the region with this name over a ring of threads. Returns the summary, which the
 * caller frees, or NULL with ENOMEM. The median of an even number of values is the mean
 * of the two in the middle, rounded down; values that are unavailable are left out of the
 * three. The caller holds the lock.
 */
struct region_summary *region_summary_new(const struct region_events *events,
					  const struct ring *threads,
					  const struct region_name *name);

#endif
