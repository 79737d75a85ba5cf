/*
 * When samples are due. Sets take turns, an interval each; with a period their turns begin
 * anew each period, and there is a rest between.
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

/* period: ns, 0: none; count: as on the command line, 0: no limit. */
struct schedule schedule_make(int64_t start, int64_t interval, int64_t period,
			      unsigned nsets, uint64_t count);

/* Of sample n, from 1: its set, when that is to be bound, and when it is to be sampled. */
unsigned schedule_set(const struct schedule *s, uint64_t n);
int64_t schedule_begin(const struct schedule *s, uint64_t n);
int64_t schedule_end(const struct schedule *s, uint64_t n);

/*
 * The sample after n that is not due yet; those in between are left out. 0: n was the last.
 * *skipped grows by those that were left out.
 */
uint64_t schedule_next(const struct schedule *s, uint64_t n, int64_t now,
		       uint64_t *skipped);

#endif
