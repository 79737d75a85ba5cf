/* Names that libpfm4 knows, as events of the kernel. libpfm4 is used here alone. */
#ifndef ENGINE_KERNEL_PFM_H
#define ENGINE_KERNEL_PFM_H

#include <stddef.h>

#include "engine/engine.h"
#include "engine/kernel/event.h"

/*
 * libpfm4 is initialised by the first call of any function here (about 0.4 ms, once in
 * a process). LIBPFM_FORCE_PMU and its other environment variables work.
 */

/*
 * Is name an event of this machine for libpfm4, if perhaps with a wrong unit mask or
 * modifier?
 */
int kernel_pfm_knows(const char *name);

/*
 * Is name an event of other processors alone: one that names their PMU, or any if libpfm4
 * does not know this processor? Then *why (NULL is allowed) says so, errno is ENOENT.
 */
int kernel_pfm_foreign(const char *name, struct why *why);

/*
 * Fill *ev, also the modes: those of flags unless the name has modifiers of its own
 * (:u, :k). ENOENT: no such event on this machine; EINVAL: wrong unit mask or modifier.
 * With LIBPFM_ENCODE_INACTIVE events of other processors are encoded too, as foreign.
 */
int kernel_pfm_encode(const char *name, unsigned flags, struct kernel_event *ev,
		      struct why *why);

/*
 * The event as libpfm4 writes it, with unit masks and modifiers spelt out, for the caller to
 * free; NULL if it does not know it.
 */
char *kernel_pfm_full(const char *name, unsigned flags);

/*
 * Call fn for each event and each EVENT:UMASK that encodes, software events left out. It
 * takes libpfm4's word for which PMUs this machine has.
 */
void kernel_pfm_walk(void *arg,
		     void (*fn)(void *arg, const char *name, const char *title));

/*
 * The processor's PMU as "Intel Icelake (icl)" into buf, or "" if libpfm4 does not know
 * it.
 */
void kernel_pfm_pmu(char *buf, size_t size);

#endif
