/* The evsels of a list, and the parts of them, that a CPU lacks. */
#ifndef ENGINE_KERNEL_CPUS_H
#define ENGINE_KERNEL_CPUS_H

#include <stdint.h>

#include "engine/kernel/group.h"
#include "engine/kernel/pmu.h"

struct kernel_cpus {
	unsigned present;      /* evsels that the CPU has */
	unsigned parts;	       /* parts that the CPU has, of all evsels */
	struct cpulist others; /* CPUs that count the parts of the first evsel it lacks */
	/* for each evsel, bit k: the CPU lacks part k */
	uint32_t lacks[KERNEL_GROUP_PARTS];
};

/*
 * Read from sysfs which parts of up to KERNEL_GROUP_PARTS evsels a CPU lacks. An evsel is
 * present if the CPU has all its parts of one kind of core. A part counts as present if
 * sysfs lists no CPUs for it. Free *l with kernel_cpus_free(), also after a failure.
 * Returns -1 with the errno of kernel_pmu_cpus().
 */
int kernel_cpus_look(struct kernel_cpus *l, struct kernel_pmus *pmus, const char *root,
		     int cpu, const struct evsel *const *sel, unsigned n);

/* Keeps errno. */
void kernel_cpus_free(struct kernel_cpus *l);

#endif
