/*
 * The rows of an interval's samples: sorted, merged into cores, sockets or bins, and
 * limited; and the totals of a run. Depends on its arguments only.
 *
 * Keys (-k) are a comma list of column labels, each with a leading "-" for descending or
 * "+" (the default) for ascending order: "cpu", "core" or "cor", "socket" or "soc",
 * "sze", "cgroup", "time", "tick" or "tsc" (also in capitals), "picN", or the name of an
 * event as in its specification. Rows that are equal by all keys stay in the order of
 * their CPUs. Unknown ids and unavailable values come last in both orders; rows of a set
 * without the counter stay in the order of their CPUs. A core or socket is sorted by the
 * number, core and socket of its first CPU.
 *
 * CPUs are merged into cores and sockets before sorting, so that the merged values are
 * sorted; CPUs whose core or socket is not known are merged into a row with id -1. For
 * bins the rows of CPUs are sorted and then dealt in that order into bins of equal size;
 * if the sizes cannot be equal, the first bins have one more CPU. With "-k -pic0 -A 4"
 * bin 0 is the quarter of the CPUs that counted most. There are never more bins than
 * CPUs.
 *
 * A merged value is the sum of the available values, of the worst class among them; or,
 * with means, that sum divided by the number of these values and rounded to nearest, like
 * count, tick and the two times. If no value is available, it is unavailable. The time of
 * a merged row is the latest of its CPUs. Sums are modulo 2^64.
 *
 * The rows of cgroups are those of their samples: one of each cgroup on each CPU, or
 * merged for each core, each socket, or all CPUs (ROW_CGROUPS); they come in the order of
 * the paths. If a cgroup ran on a CPU and nothing was counted there, the merged value is
 * extrapolated to the time that it ran there: it stands for all CPUs. Each cgroup has a
 * total; cgroups are never added, since a cgroup includes those below it.
 */
#ifndef SUITE_CPUS_VIEW_H
#define SUITE_CPUS_VIEW_H

#include <stddef.h>
#include <stdint.h>

#include "suite/cpus/interval.h"
#include "suite/row/row.h"

/* The options of the command line. */
struct cpu_view_options {
	enum row_scope scope;
	int cgroups;	  /* the samples are of cgroups; not with ROW_BINS */
	unsigned bins;	  /* with ROW_BINS, at least 1 */
	int means;	  /* with any scope but ROW_CPUS and ROW_CGROUPS */
	const char *keys; /* NULL: rows are not sorted */
	unsigned limit;	  /* the most rows of an interval; 0: no limit */
	int64_t unix_ns;  /* when the run began, in ns since 1970, not negative */
};

struct cpu_view;

/*
 * Make a view of nsets sets, which must outlive it; options can be freed after the call.
 * The caller frees the view with cpu_view_free(). Returns NULL with ENOMEM, or EINVAL and
 * a message about the keys in err, which has size bytes.
 */
struct cpu_view *cpu_view_new(const struct cpu_view_options *options,
			      const struct row_set *const *set, unsigned nsets, char *err,
			      size_t size);

/* Free v, or do nothing for NULL. */
void cpu_view_free(struct cpu_view *v);

/*
 * Add an interval to the totals and prepare its *n rows, which are valid until the next
 * call for v, and only as long as the interval. Returns -1 with ENOMEM.
 */
int cpu_view_rows(struct cpu_view *v, const struct cpu_interval *i, unsigned *n);

/* Return row at of the n rows in the order of printing; the next call changes it. */
const struct row *cpu_view_row(struct cpu_view *v, unsigned at);

/*
 * Return the row of a sample of an interval: that of a CPU, or of a cgroup on a CPU. set
 * is the set of the interval, and unix_ns is the start of the run.
 */
struct row cpu_view_sample(const struct cpu_interval *i, const struct cpu_sample *sample,
			   const struct row_set *set, int64_t unix_ns);

/*
 * Return the total of a set: sums of values and ticks over all CPUs and intervals (never
 * means), the number of different CPUs, and the time of the latest sample. It is valid
 * until another total is asked for, or an interval is added. Returns NULL if the set was
 * never sampled.
 */
const struct row *cpu_view_total(struct cpu_view *v, unsigned set);

/*
 * With cgroups: return how many were sampled and not dropped, in the order of their
 * paths; and the total of one of them, as cpu_view_total().
 */
unsigned cpu_view_cgroups(const struct cpu_view *v);
const struct row *cpu_view_cgroup_total(struct cpu_view *v, unsigned at, unsigned set);

/* Return the number of a cgroup, whose path is this string; -1u: it was never sampled. */
unsigned cpu_view_cgroup(const struct cpu_view *v, const char *cgroup);

/* Free the totals of a cgroup that is gone. */
void cpu_view_drop_cgroup(struct cpu_view *v, unsigned at);

#endif
