/*
 * How the samples of an interval are shown: sorted, merged into cores, sockets or bins,
 * limited; and the totals of a run. Pure: samples in, rows out.
 *
 * Keys (-k) are a comma list of column labels, each with a leading "-" for descending or
 * "+" (the default) for ascending order: "cpu", "core", "socket", "time", "tick" (or
 * "tsc"), "picN", or the name of an event as it was asked for. Rows that are equal by all
 * keys stay in the order of their CPUs. A value that is unavailable comes last in either
 * order, as does a row of a set that does not have the counter.
 *
 * Cores and sockets are merged before they are sorted, so that it is their own values that
 * count; with bins the rows of the CPUs are sorted and then dealt, in that order, into bins
 * of equal size (the first ones have one more where it does not come out even): with
 * "-k -pic0 -A 4" bin 0 is the quarter of the CPUs that counted most.
 *
 * A merged value is the sum over the CPUs that have one, of the worst class among them, or,
 * with means, that sum divided by the number of these CPUs, rounded to nearest (so are
 * count, tick, and the two times). It is unavailable where none has one. Its time is the
 * latest of its CPUs.
 */
#ifndef CPU_VIEW_H
#define CPU_VIEW_H

#include <stddef.h>

#include "cpu_interval.h"
#include "row.h"

/* What the command line asks for. */
struct cpu_view_ask {
	enum row_scope scope;
	unsigned bins;	  /* of ROW_BINS, at least 1 */
	int means;	  /* with any scope but ROW_CPUS */
	const char *keys; /* NULL: as they come */
	unsigned limit;	  /* rows of an interval; 0: all */
	int64_t unix_ns;  /* when the run began, ns since 1970 */
};

struct cpu_view;

/*
 * set: nsets of them, which must outlive the view. NULL: ENOMEM; EINVAL, and what is wrong
 * with the keys is in err.
 */
struct cpu_view *cpu_view_new(const struct cpu_view_ask *ask,
			      const struct row_set *const *set, unsigned nsets, char *err,
			      size_t size);

/* NULL is allowed. */
void cpu_view_free(struct cpu_view *v);

/*
 * The rows of an interval, in the order in which they are to be printed; they live until
 * the next call for v. The interval is also added to the totals. NULL: ENOMEM.
 */
const struct row *cpu_view_rows(struct cpu_view *v, const struct cpu_interval *i,
				unsigned *n);

/*
 * The total of a set: values summed over all CPUs and intervals, id and cpus the number of
 * different CPUs that were sampled, the time of the latest sample. Lives as long as v. NULL:
 * the set was never sampled.
 */
const struct row *cpu_view_total(const struct cpu_view *v, unsigned set);

#endif
