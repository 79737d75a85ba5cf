/* The totals of a run: of each set, or of each set of each cgroup. */
#ifndef SUITE_CPUS_TOTALS_H
#define SUITE_CPUS_TOTALS_H

#include "base/cpulist.h"
#include "suite/cpus/sum.h"

/* The total of a set. */
struct cpu_total {
	struct row row;
	struct cpulist cpus;
	struct cpu_view_sum sum;
};

/* The totals of one cgroup, or those of a run without cgroups. */
struct cpu_totals_of {
	const char *cgroup;	/* or NULL */
	struct cpu_total set[]; /* [nsets] */
};

struct cpu_totals {
	const struct row_set *const *set;
	unsigned nsets;
	unsigned n;
	struct cpu_totals_of **of; /* [n], by ascending cgroup */
	struct cpu_view_sum sum;   /* of a cgroup in an interval */
};

/* Start totals without a sample. Returns -1 with ENOMEM; t needs a close also then. */
int cpu_totals_open(struct cpu_totals *t, const struct row_set *const *set,
		    unsigned nsets, int cgroups);
void cpu_totals_close(struct cpu_totals *t);

/*
 * Add an interval of a run that began at unix_ns. Returns -1 with ENOMEM, and all sums
 * are unchanged.
 */
int cpu_totals_add(struct cpu_totals *t, const struct cpu_interval *i, int64_t unix_ns);

/* Return the total of a set, or NULL if it was never sampled. */
const struct row *cpu_totals_row(const struct cpu_totals *t, unsigned at, unsigned set);

/* Return the number of the cgroup whose path is this string, or -1u. */
unsigned cpu_totals_find(const struct cpu_totals *t, const char *cgroup);

void cpu_totals_drop(struct cpu_totals *t, unsigned at);

#endif
