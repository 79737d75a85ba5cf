/* Sums of samples. */
#ifndef SUITE_CPUS_SUM_H
#define SUITE_CPUS_SUM_H

#include "suite/cpus/interval.h"
#include "suite/row/row.h"

struct cpu_view_sum {
	unsigned n;	  /* number of values, also in each sample */
	int64_t ns;	  /* time of the latest sample */
	uint64_t cpus;	  /* number of samples added */
	uint64_t *have;	  /* for each of n values: the number of samples with a value */
	uint64_t *missed; /* for each of n values: ns enabled of samples without one */
	uint64_t tick;
	cpc_value_t *value; /* n values; unavailable until a sample has a value */
};

/* Start a sum. have, missed and value have room for n and belong to the caller. */
void cpu_view_sum_begin(struct cpu_view_sum *s, unsigned n);
void cpu_view_sum_add(struct cpu_view_sum *s, const struct cpu_sample *sample);

/*
 * Sum the n values of several samples, which are next to each other in memory. The
 * result is the same as if the samples were added one by one to a sum that has begun, but
 * takes less time.
 */
void cpu_view_sum_all(struct cpu_view_sum *s, unsigned n, const struct cpu_sample *sample,
		      unsigned samples);

/*
 * Extrapolate the values to the samples that have no value, for the time in which these
 * were enabled. No samples can be added after that.
 */
void cpu_view_sum_complete(struct cpu_view_sum *s);

/*
 * Extrapolate a value, and its time enabled, to ns in which nothing was counted. The
 * value is unavailable if it was never counted itself.
 */
void cpu_view_extrapolate(cpc_value_t *v, uint64_t ns);

/* Turn a sum of at least one sample into means. No samples can be added after that. */
void cpu_view_sum_mean(struct cpu_view_sum *s);

/* Let a row show the sum. unix_ns is the beginning of the run. */
void cpu_view_sum_put(const struct cpu_view_sum *s, struct row *row, int64_t unix_ns);

/* Return the time ns after unix_ns, modulo 2^64. */
int64_t cpu_view_unix_ns(int64_t unix_ns, int64_t ns);

#endif
