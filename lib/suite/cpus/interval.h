/*
 * The raw samples of an interval: the counts of a set on each of several CPUs, or of each
 * of several cgroups on each CPU, which cpustat(1) prints, merges, saves and exports.
 */
#ifndef SUITE_CPUS_INTERVAL_H
#define SUITE_CPUS_INTERVAL_H

#include <stdint.h>

#include <libcpc.h>

/* The sample of one CPU, or of a cgroup on one CPU. */
struct cpu_sample {
	int cpu;
	int core, socket; /* from topology.h; -1: not known */
	int64_t ns;	  /* time of the sample, since the run began */
	uint64_t tick;	  /* cycles of the time-stamp counter while the set was bound */
	const cpc_value_t *value; /* counts of each request of the set in the interval */
	/*
	 * NULL, or the path of the cgroup. It is the same string in all intervals until
	 * the cgroup is removed.
	 */
	const char *cgroup;
};

struct cpu_interval {
	uint64_t number; /* from 1; skipped intervals have numbers too */
	unsigned set;	 /* index of the set that was counted */
	unsigned n;	 /* 0: no CPU could be sampled */
	/* n samples by ascending cpu; or by ascending cgroup, and then cpu */
	const struct cpu_sample *sample;
	int64_t bound_ns; /* how long the set was bound until these samples */
};

/* Return how many samples from i->sample[at] on are of the same cgroup, or of none. */
static inline unsigned cpu_interval_run(const struct cpu_interval *i, unsigned at)
{
	unsigned n = 1;

	while (at + n < i->n && i->sample[at + n].cgroup == i->sample[at].cgroup)
		n++;
	return n;
}

#endif
