/* Requests, translated: which events of the kernel count what was asked, and how well. */
#ifndef ENGINE_KERNEL_SELECT_H
#define ENGINE_KERNEL_SELECT_H

#include <stdint.h>

#include "engine/engine.h"
#include "engine/kernel/candidates.h"
#include "engine/kernel/event.h"
#include "engine/kernel/sysfs.h"

enum { KERNEL_SELECT_PARTS = KERNEL_MAP_TERMS * KERNEL_SYSFS_CORES };

/* Its value is factor * (sum of its parts). Parts of one core PMU stand together. */
struct evsel {
	uint64_t serial; /* never used twice in a session */
	char *name, *note;
	cpc_class_t class;
	uint64_t factor;
	int together;	 /* its PMU cannot leave a mode out */
	int kernel_only; /* it happens in the kernel alone */
	unsigned n;
	struct kernel_event ev[KERNEL_SELECT_PARTS];
};

/* Where to look, and how to find out what can be counted. */
struct select_env {
	const char *root; /* of sysfs: kernel_sysfs.h */
	unsigned ncores;
	const struct kernel_core *core;
	void *arg;
	/* Can s be counted on the caller? 0, or -1 with errno and *why. */
	int (*opens)(void *arg, const struct evsel *s, struct why *why);
};

/*
 * Is name an event of this machine, perhaps malformed, or one of other processors that
 * kernel_select refuses by name? No event is opened. root: of tracefs, kernel_tracepoint.h.
 */
int kernel_select_knows(const char *root, const char *name);

/*
 * NULL: ENOENT (this machine has no such event), EINVAL (malformed name or attribute),
 * ENOMEM, or what place->opens says if an event of a table must be tried.
 */
struct evsel *kernel_select(const struct select_env *place,
			    const struct engine_request *ask, struct why *why);

/* NULL is allowed. */
void kernel_select_free(struct evsel *s);

#endif
