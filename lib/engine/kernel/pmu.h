/* PMUs by the number that events know them by, and the CPUs on which they count. */
#ifndef ENGINE_KERNEL_PMU_H
#define ENGINE_KERNEL_PMU_H

#include <stdint.h>

#include "base/cpulist.h"
#include "engine/kernel/event.h"

struct kernel_pmu {
	uint32_t type;
	char name[64];
};

/* Those that were found. Zero is "not looked yet". */
struct kernel_pmus {
	unsigned n;
	struct kernel_pmu *pmu;
};

/*
 * The number of the PMU that counts an event; of the kernel's generic ones, that in the
 * upper half of config (perf_event_open(2), PERF_PMU_TYPE_SHIFT). 0: the event is bound to
 * none, and counts on all CPUs or on such as the kernel knows.
 */
uint32_t kernel_pmu_of(const struct kernel_event *ev);

/*
 * On which CPUs does the PMU of this number count, now? 1: on those of *l, for
 * cpulist_free(); 0: sysfs does not tell. -1: ENOMEM, EINVAL (not a list), or as open(2);
 * the limit of open files was raised if it must. root: kernel_sysfs.h.
 */
int kernel_pmu_cpus(struct kernel_pmus *p, const char *root, uint32_t type,
		    struct cpulist *l);

/*
 * Does it count whole CPUs, for all of their package or die? Then *cpu gets the first of
 * those that it is read on, now. 0 also: sysfs does not tell.
 */
int kernel_pmu_is_percpu(struct kernel_pmus *p, const char *root, uint32_t type,
			 int *cpu);

void kernel_pmu_free(struct kernel_pmus *p);

#endif
