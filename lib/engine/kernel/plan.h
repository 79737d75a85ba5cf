/*
 * Plans: which events of a list the processor can count together, found once for each
 * list.
 */
#ifndef ENGINE_KERNEL_PLAN_H
#define ENGINE_KERNEL_PLAN_H

#include "engine/kernel/group.h"

/* Some hundred CPUs, and the sets that take turns on each. */
enum { KERNEL_PLAN_MAX = 2048 };

/*
 * How a list of evsels was found to fit: evsels of the same number form one group of
 * the kernel.
 */
struct kernel_plan {
	unsigned n;
	int cpu; /* that it was found on, -1: on an LWP */
	struct {
		uint64_t serial;
		unsigned char where;
	} of[];
};

/* Those that were found, a ring. Zero is empty. */
struct kernel_plans {
	struct kernel_plan *plan[KERNEL_PLAN_MAX];
	unsigned n; /* found so far */
};

/* How many events of a list take counters of the processor. */
unsigned kernel_plan_hardware(const struct evsel *const *sel, unsigned n);

void kernel_plan_free(struct kernel_plans *plans);

/*
 * Open a list in as few groups as the kernel takes, kept in order; hybrid: cores
 * differ, so nothing can be told from what runs where the caller is. Each CPU has plans of
 * its own: its core may be of another kind, its counters taken by others. NULL: errno of
 * perf_event_open(2), and *f.
 */
struct group *kernel_plan_open(const struct kernel_env *env, struct kernel_plans *plans,
			       int hybrid, const struct kernel_open_how *m,
			       const struct evsel *const *sel, unsigned n,
			       struct kernel_failure *f);

#endif
