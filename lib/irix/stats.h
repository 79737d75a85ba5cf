/* The statistics that perfex -y computes from counts and costs. */
#ifndef IRIX_STATS_H
#define IRIX_STATS_H

#include <stdint.h>

#include "irix/costs.h"

enum { IRIX_NSTATS = 20 }; /* the most that a processor has */

struct irix_stat {
	const char *label;
	const char *unit; /* "1", "MB/s", "1e6/s" */
	double value;
	uint32_t events; /* bit n: the value was computed from event n */
};

/* Counts by event number. */
struct irix_counts {
	uint32_t known; /* bit n: event n was counted */
	uint64_t value[COSTS_NEVENTS];
};

/*
 * Compute the statistics of the costs' processor for which the counts suffice, in the
 * order of perfex(1), into stat, which has room for IRIX_NSTATS. Returns how many there
 * are. Source: perfex(1), and guide 007-3430, chapter 4
 */
unsigned irix_stats(const struct costs *costs, const struct irix_counts *counts,
		    struct irix_stat *stat);

#endif
