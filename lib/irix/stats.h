/* The statistics that perfex -y computes of counts. */
#ifndef IRIX_STATS_H
#define IRIX_STATS_H

#include <stdint.h>

#include "irix/costs.h"

enum { IRIX_NSTATS = 20 }; /* at most */

struct irix_stat {
	const char *label;
	double value;
};

/* By event number. */
struct irix_counts {
	uint32_t known; /* bit n: event n was counted */
	uint64_t value[COSTS_NEVENTS];
};

/*
 * Those of the processor of the costs that can be computed, in the order of perfex(1);
 * returns how many. Source: perfex(1), and guide 007-3430, chapter 4.
 */
unsigned irix_stats(const struct costs *costs, const struct irix_counts *counts,
		    struct irix_stat *stat);

#endif
