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

/* This is place() of struct engine_ops. */
int kernel_breakpoint_place(struct group *g, const struct evsel *s, unsigned i,
			    const struct engine_place *p, struct why *why);

#endif
