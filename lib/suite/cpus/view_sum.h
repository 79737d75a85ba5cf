/* What several samples add up to, or their means. */
#ifndef CPU_VIEW_SUM_H
#define CPU_VIEW_SUM_H

#include "suite/cpus/interval.h"

struct cpu_view_sum {
	unsigned n;	/* values; the samples have as many */
	int64_t ns;	/* the latest */
	uint64_t cpus;	/* samples added */
	uint64_t *have; /* of n, how many samples had a value */
	uint64_t tick;
	cpc_value_t *value; /* n; unavailable until a sample has one */
};

/* have and value, which the caller owns, have room for n. */
void cpu_view_sum_begin(struct cpu_view_sum *s, unsigned n);
void cpu_view_sum_add(struct cpu_view_sum *s, const struct cpu_sample *sample);

/* Make it the means, of at least one sample; adding more has no meaning then. */
void cpu_view_sum_mean(struct cpu_view_sum *s);

#endif
