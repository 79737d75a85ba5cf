/*
 * The times at which samples are due. Sets take turns of one interval each. With a
 * period, the first set's turn begins once in each period, and nothing is counted after
 * the last turn.
 */
#ifndef SUITE_CPUS_SCHEDULE_H
#define SUITE_CPUS_SCHEDULE_H

#include <stdint.h>

struct schedule {
	int64_t start;	  /* ns */
	int64_t interval; /* ns */
	int64_t cycle;	  /* ns from one turn of the first set to the next */
	unsigned nsets;
	uint64_t count; /* samples; 0: no limit */
};

/*
 * Make a schedule. Times are in ns; period 0 is no period. count 0 is no limit; with
 * several sets and a period, count is a number of periods, else of samples.
 */
struct schedule schedule_make(int64_t start, int64_t interval, int64_t period,
			      unsigned nsets, uint64_t count);

/* The set of sample n (from 1), the time to bind the set, and the time to sample it. */
unsigned schedule_set(const struct schedule *s, uint64_t n);
int64_t schedule_begin(const struct schedule *s, uint64_t n);
int64_t schedule_end(const struct schedule *s, uint64_t n);

/*
 * Return the first sample after n that ends after now, or 0 if there is none. *skipped
 * grows by the number of samples in between, which are left out.
 */
uint64_t schedule_next(const struct schedule *s, uint64_t n, int64_t now,
		       uint64_t *skipped);

#endif
