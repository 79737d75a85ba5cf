/*
 * The events that a core PMU lists in sysfs. The kernel opens any number on an Arm core,
 * even one that the core never counts.
 */
#ifndef ENGINE_KERNEL_LISTED_H
#define ENGINE_KERNEL_LISTED_H

#include "engine/kernel/event.h"
#include "engine/kernel/sysfs.h"

/*
 * Returns 1 if no core PMU that could count the event lists it, else 0. sysfs lists those
 * of Arm's common events that the processor has (PMCEID0_EL0 and PMCEID1_EL0 in the Arm
 * Architecture Reference Manual); other events are never listed, and the result is 0.
 * root is as in sysfs.h.
 */
int kernel_listed_lacks(const char *root, const struct kernel_core *core, unsigned ncores,
			const struct kernel_event *ev);

#endif
