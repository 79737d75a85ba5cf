/* Names of libpfm4, translated to events of the kernel. Only pfm.c calls libpfm4. */
#ifndef ENGINE_KERNEL_PFM_H
#define ENGINE_KERNEL_PFM_H

#include <stddef.h>

#include "engine/engine.h"
#include "engine/kernel/event.h"

/*
 * The first call of any of these functions initialises libpfm4 (about 0.4 ms, once in a
 * process). LIBPFM_FORCE_PMU and libpfm4's other environment variables work.
 */

/*
 * Returns 1 if the event of the name is one of this machine in libpfm4, even if its unit
 * mask or a modifier is wrong; else 0.
 */
int kernel_pfm_knows(const char *name);

/*
 * Returns 1 if only other processors have the event: the name begins with their PMU, or
 * libpfm4 does not know this processor. Then *why (which may be NULL) says so and errno
 * is ENOENT. Else returns 0.
 */
int kernel_pfm_foreign(const char *name, struct why *why);

/*
 * Fill *ev. Its modes are those of flags (CPC_COUNT_*) unless the name has modifiers of
 * its own (:u, :k). Returns 0, or -1 with ENOENT if this machine has no such event,
 * EINVAL if a unit mask or modifier is wrong, or ENOMEM. If LIBPFM_ENCODE_INACTIVE is in
 * the environment, events of other processors are encoded too and marked as foreign.
 */
int kernel_pfm_encode(const char *name, unsigned flags, struct kernel_event *ev,
		      struct why *why);

/*
 * Returns the event's full name in libpfm4, with unit masks and modifiers, which the
 * caller frees; NULL if libpfm4 does not know the event.
 */
char *kernel_pfm_full(const char *name, unsigned flags);

/*
 * Call fn for each event and each EVENT:UMASK that libpfm4 can encode for the PMUs that
 * it finds on this machine. Software events are left out.
 */
void kernel_pfm_walk(void *arg,
		     void (*fn)(void *arg, const char *name, const char *title));

/*
 * Write the processor's PMU, such as "Intel Icelake (icl)", or "" if libpfm4 knows none.
 */
void kernel_pfm_pmu(char *buf, size_t size);

#endif
