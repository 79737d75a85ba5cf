/* What a CPU does not have of a list of evsels. */
#ifndef ENGINE_KERNEL_CPUS_H
#define ENGINE_KERNEL_CPUS_H

#include <stdint.h>

#include "engine/kernel/group.h"
#include "engine/kernel/pmu.h"

struct kernel_cpus {
	unsigned there;	       /* evsels that the CPU has */
	unsigned parts;	       /* ... and how many parts of them */
	struct cpulist others; /* if it has none: where the first evsel counts */
	/* bit k of part[i]: the CPU does not have part k of evsel i */
	uint32_t part[KERNEL_GROUP_PARTS];
};

/*
 * Look what sysfs says of CPU cpu: an evsel is there if one of its parts is, and with it
 * all that are of the same kind of core. What sysfs does not tell counts as there. At most
 * KERNEL_GROUP_PARTS evsels; to be ended by kernel_cpus_free(), also after a failure. -1: as
 * kernel_pmu_cpus().
 */
int kernel_cpus_look(struct kernel_cpus *l, struct kernel_pmus *pmus, const char *root,
		     int cpu, const struct evsel *const *sel, unsigned n);

/* Keeps errno. */
void kernel_cpus_free(struct kernel_cpus *l);

#endif
