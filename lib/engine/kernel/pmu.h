/*
 * PMUs by their number (type of struct perf_event_attr), and the CPUs on which they
 * count.
 */
#ifndef ENGINE_KERNEL_PMU_H
#define ENGINE_KERNEL_PMU_H

#include <stdint.h>

#include "base/cpulist.h"
#include "engine/kernel/event.h"

struct kernel_pmu {
	uint32_t type;
	char name[64];
};

/* The PMUs of the machine, owned by the caller; all zero until sysfs has been read. */
struct kernel_pmus {
	unsigned n;
	struct kernel_pmu *pmu;
};

/*
 * Read the PMUs of the machine, sorted by name. Returns -1 with ENOMEM or errno of
 * open(2); a machine without sysfs has no PMUs. root is as in sysfs.h.
 */
int kernel_pmu_read(struct kernel_pmus *p, const char *root);

/*
 * Returns the number of the PMU that counts an event; for the kernel's generic events
 * this is the number in the upper half of config (perf_event_open(2),
 * PERF_PMU_TYPE_SHIFT). 0: the event names no PMU, and the kernel chooses.
 */
uint32_t kernel_pmu_of(const struct kernel_event *ev);

/*
 * Find the CPUs on which a PMU counts at present. Returns 1 and fills *l, which the
 * caller frees with cpulist_free(); 0 if sysfs has no list; -1 with ENOMEM, EINVAL if the
 * list is malformed, or errno of open(2). Raises the limit of open files if necessary.
 * root is as in sysfs.h.
 */
int kernel_pmu_cpus(struct kernel_pmus *p, const char *root, uint32_t type,
		    struct cpulist *l);

/*
 * Returns 1 if the PMU counts for a whole package or die; then *cpu gets the first of the
 * CPUs on which its counters are read. Returns 0 if it does not, or sysfs does not say.
 */
int kernel_pmu_is_percpu(struct kernel_pmus *p, const char *root, uint32_t type,
			 int *cpu);

void kernel_pmu_free(struct kernel_pmus *p);

#endif
