/*
 * What a core PMU says it can count: an Arm one takes every number, and counts nothing by
 * those it lacks.
 */
#ifndef ENGINE_KERNEL_LISTED_H
#define ENGINE_KERNEL_LISTED_H

#include "engine/kernel/event.h"
#include "engine/kernel/sysfs.h"

/*
 * Does every core PMU that could count the event say that it cannot? Of Arm's common
 * events the kernel shows in sysfs those that the processor has (PMCEID0_EL0 and
 * PMCEID1_EL0 in the Arm Architecture Reference Manual); of others nothing is known.
 */
int kernel_listed_lacks(const char *root, const struct kernel_core *core, unsigned ncores,
			const struct kernel_event *ev);

#endif
