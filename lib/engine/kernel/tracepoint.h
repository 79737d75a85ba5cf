/* Tracepoints by name: GROUP:NAME, the way perf(1) writes them. */
#ifndef ENGINE_KERNEL_TRACEPOINT_H
#define ENGINE_KERNEL_TRACEPOINT_H

#include "engine/engine.h"
#include "engine/kernel/event.h"

enum trace_found {
	TRACE_NONE,  /* it is none */
	TRACE_LOOKS, /* it is written like one, and is not here or cannot be seen */
	TRACE_GROUP, /* its group is here */
};

/*
 * Is name a tracepoint? What is an event of libpfm4 has that meaning first. root:
 * kernel_sysfs.h, that of sys/kernel/tracing. Keeps errno.
 */
enum trace_found kernel_tracepoint_look(const char *root, const char *name);

/*
 * Fill *ev but for the modes. -1, *why says what would help: ENOENT, there is no such
 * tracepoint, or tracefs is not mounted; EACCES, the caller may not look.
 */
int kernel_tracepoint_encode(const char *root, const char *name, struct kernel_event *ev,
			     struct why *why);

/* Call fn for each that can be counted, if the caller may look; sorted. */
void kernel_tracepoint_walk(const char *root, void *arg,
			    void (*fn)(void *arg, const char *name, const char *title));

#endif
