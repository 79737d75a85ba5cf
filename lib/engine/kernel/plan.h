/*
 * Plans: the groups into which a list of evsels is split so that the processor can count
 * each group. A plan is found once for each list.
 */
#ifndef ENGINE_KERNEL_PLAN_H
#define ENGINE_KERNEL_PLAN_H

#include "engine/kernel/group.h"

/* Enough for some hundred CPUs, each with several sets that take turns. */
enum { KERNEL_PLAN_MAX = 2048 };

/* The groups of a list of n evsels on one CPU. */
struct kernel_plan {
	unsigned n;
	int cpu; /* -1: an LWP */
	struct {
		uint64_t serial; /* of the evsel */
		unsigned char group;
	} of[];
};

/* A ring of plans: a new plan replaces the oldest. Zero is an empty ring. */
struct kernel_plans {
	struct kernel_plan **plan; /* [KERNEL_PLAN_MAX]; NULL before the first plan */
	unsigned n;		   /* plans found so far */
};

/* Returns the number of events of a list that need counters of the processor. */
unsigned kernel_plan_hardware(const struct evsel *const *sel, unsigned n);

void kernel_plan_free(struct kernel_plans *plans);

/*
 * Open a list in as few groups as the processor can count; hardware events of different
 * turns (how->turn), which follow from the list, are not in the same group. hybrid: the
 * machine has several kinds of cores, so a trial on the caller's core does not show what
 * fits. Each CPU has its own plans: its core may be of another kind, or other users may
 * hold its counters. Returns NULL with *f and the errno of perf_event_open(2).
 */
struct group *kernel_plan_open(const struct kernel_env *env, struct kernel_plans *plans,
			       int hybrid, const struct kernel_open_how *how,
			       const struct evsel *const *sel, unsigned n,
			       struct kernel_failure *f);

#endif
