/*
 * The kernel engine's own event names: breakpoints, events of sysfs, raw numbers,
 * software events, tracepoints, and the names of libpfm4.
 */
#ifndef ENGINE_KERNEL_OWN_H
#define ENGINE_KERNEL_OWN_H

#include <stddef.h>

#include "engine/engine.h"
#include "engine/kernel/evsel.h"

/*
 * Is name an event of this machine, perhaps malformed, or an event of another processor,
 * which kernel_own_encode() refuses by name? Opens no event. root: as in
 * engine/kernel/tracepoint.h.
 */
int kernel_own_knows(const char *root, const char *name);

/*
 * Encode a request for an own name, with its modes and attributes. unit gets the unit of
 * the count ("0.5 Joules"), or "". Returns -1 with ENOENT (this machine does not have the
 * event) or EINVAL (malformed name or attribute).
 */
int kernel_own_encode(const struct select_env *env, const struct engine_request *req,
		      struct kernel_event *ev, char *unit, size_t size, struct why *why);

/*
 * Refuse an event that libpfm4 encodes and that the processor's PMU does not list. name:
 * the event as requested; term: the part of name that ev counts, for the message. Returns
 * -1 with ENOENT.
 */
int kernel_own_check_listed(const struct select_env *env, const char *name,
			    const char *term, const struct kernel_event *ev,
			    struct why *why);

#endif
