/* Events as the kernel itself names them in sysfs: pmu/event/ and pmu/term=value,.../ */
#ifndef ENGINE_KERNEL_SYSFS_H
#define ENGINE_KERNEL_SYSFS_H

#include <stddef.h>
#include <stdint.h>

#include "engine/engine.h"
#include "engine/kernel/event.h"

enum { KERNEL_SYSFS_CORES = 4 };

/* A PMU that counts what a processor core does. */
struct kernel_core {
	char name[64];
	uint32_t type;
};

/*
 * root: "" for the machine's own sysfs, else a folder that holds
 * sys/bus/event_source/devices.
 */

/* Is name of this form? (It may still be malformed.) */
int kernel_sysfs_is(const char *name);

/*
 * Fill *ev but for the modes; unit gets what a count of 1 stands for ("0.5 Joules"), or
 * "". ENOENT: no such PMU or event; EINVAL: malformed name, unknown term or value too
 * large for it.
 */
int kernel_sysfs_encode(const char *root, const char *name, struct kernel_event *ev,
			char *unit, size_t size, struct why *why);

/*
 * Set a field of *ev, by the PMU's format/FIELD or, if pmu is NULL, by x86's
 * architectural format. EINVAL: no such field, or value too large.
 */
int kernel_sysfs_set(const char *root, const char *pmu, const char *field, uint64_t val,
		     struct kernel_event *ev, struct why *why);

/* The bits of config that the fields of a PMU take up; all if it shows none. */
uint64_t kernel_sysfs_bits(const char *root, const char *pmu);

/* The PMU of such a name ("cpu" of "cpu/event=0x3c/") into pmu. */
void kernel_sysfs_pmu(const char *name, char *pmu, size_t size);

/*
 * The core PMUs, by name; more than one on hybrid machines. Returns how many, 0 if
 * there is none.
 */
unsigned kernel_sysfs_cores(const char *root,
			    struct kernel_core core[KERNEL_SYSFS_CORES]);

/*
 * Names of the fields of a PMU (NULL: x86's), sorted, ended by NULL; free with
 * kernel_sysfs_free.
 */
char **kernel_sysfs_fields(const char *root, const char *pmu);
void kernel_sysfs_free(char **names);

/* Call fn for "pmu/event/" of every PMU, sorted. */
void kernel_sysfs_walk(const char *root, void *arg,
		       void (*fn)(void *arg, const char *name, const char *title));

#endif
