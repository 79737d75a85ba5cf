/* Tracepoints as events, by the names of perf(1): GROUP:NAME. */
#ifndef ENGINE_KERNEL_TRACEPOINT_H
#define ENGINE_KERNEL_TRACEPOINT_H

#include "engine/engine.h"
#include "engine/kernel/event.h"

enum trace_found {
	TRACE_NONE,	/* the name is no tracepoint */
	TRACE_POSSIBLE, /* it has the form of one, but no such group can be seen */
	TRACE_GROUP,	/* the kernel has tracepoints of this group */
};

/*
 * Returns whether a name is a tracepoint. A name that libpfm4 knows too is libpfm4's
 * event; the caller checks that. root is "" for this machine, else a folder that holds
 * sys/kernel/tracing. Keeps errno.
 */
enum trace_found kernel_tracepoint_find(const char *root, const char *name);

/*
 * Fill *ev except for its modes (exclude_*). Returns 0, or -1 with EINVAL if the name is
 * malformed, ENOENT if there is no such tracepoint or tracefs is not mounted, EACCES if
 * the caller may not read tracefs, EIO if its id cannot be read. *why says what would
 * help.
 */
int kernel_tracepoint_encode(const char *root, const char *name, struct kernel_event *ev,
			     struct why *why);

/*
 * Report each tracepoint that can be counted, sorted, without titles; none if tracefs is
 * not mounted or the caller may not read tracefs. Keeps errno.
 */
void kernel_tracepoint_walk(const char *root, const struct engine_walk *w);

#endif
