/*
 * How the samples of an interval are shown: sorted, merged into cores, sockets or bins,
 * limited; and the totals of a run. Pure: samples in, rows out.
 *
 * Keys (-k) are a comma list of column labels, each with a leading "-" for descending or
 * "+" (the default) for ascending order: "cpu", "core" or "cor", "socket" or "soc", "sze",
 * "time", "tick" or "tsc" (these also in capitals), "picN", or the name of an event as it
 * was asked for. Rows that are equal by all keys stay in the order of their CPUs. What is
 * not known or unavailable comes last in either order; rows of a set that does not have
 * the counter stay in the order of their CPUs. A core or socket has the number, core and
 * socket of its first CPU.
 *
 * Cores and sockets are merged before they are sorted, so that it is their own values that
 * count; CPUs of which these are not known are merged into a row with id -1. With bins the
 * rows of the CPUs are sorted and then dealt, in that order, into bins of equal size (the
 * first ones have one more where it does not come out even): with "-k -pic0 -A 4" bin 0 is
 * the quarter of the CPUs that counted most. There are no empty bins: no more than CPUs.
 *
 * A merged value is the sum over the CPUs that have one, of the worst class among them, or,
 * with means, that sum divided by the number of these CPUs, rounded to nearest (so are
 * count, tick, and the two times). It is unavailable where none has one. Its time is the
 * latest of its CPUs. Sums are modulo 2^64.
 */
#ifndef SUITE_CPUS_VIEW_H
#define SUITE_CPUS_VIEW_H

#include <stddef.h>
#include <stdint.h>

#include "suite/cpus/interval.h"
#include "suite/row/row.h"

/* What the command line asks for. */
struct cpu_view_ask {
	enum row_scope scope;
	unsigned bins;	  /* of ROW_BINS, at least 1 */
	int means;	  /* with any scope but ROW_CPUS */
	const char *keys; /* NULL: as they come */
	unsigned limit;	  /* rows of an interval; 0: all */
	int64_t unix_ns;  /* when the run began, ns since 1970, not negative */
};

struct cpu_view;

/*
 * set: nsets of them, which must outlive the view; of ask nothing is needed any more. NULL:
 * ENOMEM; EINVAL, and what is wrong with the keys is in err.
 */
struct cpu_view *cpu_view_new(const struct cpu_view_ask *ask,
			      const struct row_set *const *set, unsigned nsets, char *err,
			      size_t size);

/* NULL is allowed. */
void cpu_view_free(struct cpu_view *v);

/*
 * The rows of an interval, in the order in which they are to be printed; they live until
 * the next call for v, and no longer than the interval. Its set is one of the nsets. It is
 * also added to the totals. NULL: ENOMEM.
 */
const struct row *cpu_view_rows(struct cpu_view *v, const struct cpu_interval *i,
				unsigned *n);

/*
 * The total of a set, a ROW_TOTAL: values and ticks summed over all CPUs and intervals,
 * never means; cpus: how many different CPUs were sampled; the time of the latest sample.
 * Lives as long as v. NULL: the set was never sampled.
 */
const struct row *cpu_view_total(const struct cpu_view *v, unsigned set);

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
