/* Breakpoints as events of the kernel. */
#ifndef ENGINE_KERNEL_BREAKPOINT_H
#define ENGINE_KERNEL_BREAKPOINT_H

#include "engine/engine.h"
#include "engine/kernel/event.h"

/*
 * Fill *ev except for its modes (exclude_*) from a name that begins with "mem:". The
 * breakpoint of a name (ev->named) watches address 0, which no program can use. Returns
 * 0, or -1 with EINVAL if the name is malformed; *why says what is wrong.
 */
int kernel_breakpoint_parse(const char *name, struct kernel_event *ev, struct why *why);

/*
 * Does the processor stop at breakpoints of this type (HW_BREAKPOINT_*)? Counts one of
 * the caller's own. Returns 1; 0 if the kernel opens the breakpoint, which then counts
 * nothing, as in virtual machines whose hypervisor does not pass the debug registers on;
 * or -1 if none can be opened or read now, so that this is not known. Keeps errno.
 */
int kernel_breakpoint_stops(const struct kernel_env *env, uint32_t type);

/* This is place() of struct engine_ops. */
int kernel_breakpoint_place(struct group *g, const struct evsel *s, unsigned i,
			    const struct engine_place *p, struct why *why);

#endif
