/*
 * Names of events in the form that the kernel uses in sysfs: pmu/event/ and
 * pmu/term=value,.../
 */
#ifndef ENGINE_KERNEL_SYSFS_H
#define ENGINE_KERNEL_SYSFS_H

#include <stddef.h>
#include <stdint.h>

#include "engine/engine.h"
#include "engine/kernel/event.h"

enum { KERNEL_SYSFS_CORES = 4 };

/* A PMU that counts the events of a processor core. */
struct kernel_core {
	char name[64];
	uint32_t type; /* of perf_event_attr, from the PMU's file "type" */
};

/*
 * In all calls root is "" for the sysfs of this machine; otherwise it is a folder that
 * holds sys/bus/event_source/devices.
 */

/* Returns 1 if the name contains a slash and so is meant as a name of sysfs, else 0. */
int kernel_sysfs_is(const char *name);

/*
 * Fill *ev except for its modes (exclude_*). unit gets the amount that a count of 1 means
 * ("0.5 Joules"), or "" if sysfs has no unit. Returns 0, or -1 with ENOENT if there is no
 * such PMU or event, or EINVAL if the name is malformed, a term is unknown or a value
 * does not fit its field.
 */
int kernel_sysfs_encode(const char *root, const char *name, struct kernel_event *ev,
			char *unit, size_t size, struct why *why);

/*
 * Set a field of *ev where the PMU's file format/FIELD places the field; if pmu is NULL,
 * by the architectural format of x86. Returns 0, or -1 with EINVAL if there is no such
 * field or the value does not fit.
 */
int kernel_sysfs_set(const char *root, const char *pmu, const char *field, uint64_t val,
		     struct kernel_event *ev, struct why *why);

/*
 * Returns the bits of config that the fields of a PMU use; all bits if sysfs shows no
 * field.
 */
uint64_t kernel_sysfs_bits(const char *root, const char *pmu);

/* Copy the PMU of a name ("cpu" of "cpu/event=0x3c/") into pmu, at most size bytes. */
void kernel_sysfs_pmu(const char *name, char *pmu, size_t size);

/*
 * Fill core[] with the core PMUs, sorted by name; a hybrid machine has several. Returns
 * how many were found.
 */
unsigned kernel_sysfs_cores(const char *root,
			    struct kernel_core core[KERNEL_SYSFS_CORES]);

/*
 * Returns the names of the fields of a PMU (NULL: of x86's architectural format), sorted
 * and ended by NULL; the caller frees them with kernel_sysfs_free(). NULL: no memory.
 */
char **kernel_sysfs_fields(const char *root, const char *pmu);
void kernel_sysfs_free(char **names);

/* Report "pmu/event/" for every event in sysfs, sorted; no title. Keeps errno. */
void kernel_sysfs_walk(const char *root, const struct engine_walk *w);

#endif
