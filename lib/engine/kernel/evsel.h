/*
 * An evsel: the events of the kernel that together count a requested event. Also the
 * environment in which evsels are selected.
 */
#ifndef ENGINE_KERNEL_EVSEL_H
#define ENGINE_KERNEL_EVSEL_H

#include <stdint.h>

#include "engine/engine.h"
#include "engine/kernel/event.h"
#include "engine/kernel/sysfs.h"

enum {
	KERNEL_EVSEL_TERMS = 4, /* terms of a sum */
	KERNEL_EVSEL_PARTS = KERNEL_EVSEL_TERMS * KERNEL_SYSFS_CORES
};

/* The value is factor * (sum of the parts). Parts of the same core PMU are adjacent. */
struct evsel {
	uint64_t serial; /* unique in its session */
	char *name;	 /* as requested; owned */
	char *note;	 /* how it differs from the request, or NULL; owned */
	char *lacking;	 /* why the machine does not have the event, or NULL; owned */
	cpc_class_t class;
	uint64_t factor;
	int together;	 /* the PMU cannot exclude a mode */
	int kernel_only; /* the event happens in the kernel only */
	unsigned n;
	struct kernel_event ev[KERNEL_EVSEL_PARTS];
};

/* The machine for which events are selected. */
struct select_env {
	const char *root; /* the folder that holds sys: engine/kernel/sysfs.h */
	unsigned ncores;
	const struct kernel_core *core;
	void *arg;
	/* Can s be counted on the caller? Returns 0, or -1 with errno and *why. */
	int (*opens)(void *arg, const struct evsel *s, struct why *why);
};

/* Create an evsel without events. Returns NULL with ENOMEM and *why. */
struct evsel *kernel_evsel_new(const char *name, struct why *why);
void kernel_evsel_free(struct evsel *s); /* NULL is allowed */

/*
 * On a machine with several kinds of cores, count the kernel's generic events on each
 * kind: one part for each kind.
 */
void kernel_evsel_spread(const struct select_env *env, struct evsel *s);

#endif
