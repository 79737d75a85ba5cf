/*
 * What a set counted on each of several CPUs, over the same interval: the raw samples that
 * cpustat(1) prints, merges, keeps in files and exports.
 */
#ifndef SUITE_CPUS_INTERVAL_H
#define SUITE_CPUS_INTERVAL_H

#include <stdint.h>

#include <libcpc.h>

/* Of one CPU. */
struct cpu_sample {
	int cpu;
	int core, socket; /* topology.h; -1: not known */
	int64_t ns;	  /* when it was taken, since the run began */
	uint64_t tick;	  /* cycles of the time-stamp counter while the set was bound */
	const cpc_value_t *value; /* of each request of the set, over the interval */
};

struct cpu_interval {
	uint64_t number; /* from 1; those that were skipped have numbers too */
	unsigned set;	 /* its index */
	unsigned n;	 /* 0: no CPU could be sampled */
	const struct cpu_sample *sample; /* n, by ascending cpu */
};

#endif
