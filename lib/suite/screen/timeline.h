/*
 * The values of a run over time, in a bounded number of cells: when the cells are full,
 * each two of them become one, so that the whole run stays in them. A cell that got no
 * value is a gap.
 */
#ifndef SUITE_SCREEN_TIMELINE_H
#define SUITE_SCREEN_TIMELINE_H

#include <stdint.h>

enum { TIMELINE_CELLS = 256 };

/* Starts as zeros. */
struct timeline {
	/* The sum of the values in a cell, and their number. */
	struct {
		float sum;
		uint32_t n;
	} cell[TIMELINE_CELLS];
	uint64_t n; /* the number of values; 0: the next three are not set */
	uint64_t minimum, maximum;
	double total;
	uint64_t now; /* the latest value, if has_now */
	int has_now;
};

/* Add a value to the cells from first to last, which is below TIMELINE_CELLS. */
void timeline_add(struct timeline *t, unsigned first, unsigned last, uint64_t value);

/* The latest value is not available. */
void timeline_gap(struct timeline *t);

/* Make one cell of each two. */
void timeline_halve(struct timeline *t);

/*
 * Store the mean of the values in the cells from begin to before end, which can be behind
 * the last cell. Returns 0 if these cells have no values.
 */
int timeline_mean(const struct timeline *t, unsigned begin, unsigned end, double *mean);

#endif
