/* The totals of a run: of each set, or of each set of each cgroup. */
#ifndef SUITE_CPUS_TOTALS_H
#define SUITE_CPUS_TOTALS_H

#include "base/cpulist.h"
#include "suite/cpus/sort.h"
#include "suite/cpus/sum.h"

/* CPUs below this number are bits: a list would be one more line of the caches. */
enum { CPU_TOTAL_BITS = 64 };

/* The total of a set. */
struct cpu_total {
	uint64_t low;	     /* the CPUs that are bits */
	struct cpulist high; /* the other CPUs */
	struct cpu_view_sum sum;
};

/*
 * The totals of one cgroup, or those of a run without cgroups. The numbers of the sums
 * are in the same memory: an interval can add to the totals of hundreds of cgroups, and
 * the memory of one has left the caches before the next interval.
 */
struct cpu_totals_of {
	const char *cgroup;	/* or NULL */
	struct cpu_total set[]; /* [nsets] */
};

struct cpu_totals {
	const struct row_set *const *set;
	unsigned nsets;
	int64_t unix_ns; /* when the run began */
	unsigned n;
	struct cpu_totals_of **of; /* [n], by ascending cgroup */
	struct row row;		   /* of the total that was asked for last */
};

/*
 * Start totals without a sample, of a run that began at unix_ns. Returns -1 with ENOMEM;
 * t needs a close also then.
 */
int cpu_totals_open(struct cpu_totals *t, const struct row_set *const *set,
		    unsigned nsets, int cgroups, int64_t unix_ns);
void cpu_totals_close(struct cpu_totals *t);

/*
 * Add an interval. With cgroups, item[] has the complete sum of each cgroup of the
 * interval. Returns -1 with ENOMEM, and all sums are unchanged.
 */
int cpu_totals_add(struct cpu_totals *t, const struct cpu_interval *i,
		   const struct cpu_view_item *item);

/*
 * Return the total of a set, until the next call; or NULL if it was never sampled. Its
 * values are those of the sum.
 */
const struct row *cpu_totals_row(struct cpu_totals *t, unsigned at, unsigned set);

/* Return the number of the cgroup whose path is this string, or -1u. */
unsigned cpu_totals_find(const struct cpu_totals *t, const char *cgroup);

void cpu_totals_drop(struct cpu_totals *t, unsigned at);

#endif
