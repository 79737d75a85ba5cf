/* Breakpoints as events, by the names of perf(1): mem:ADDR[/LEN][:x|r|w|rw]. */
#ifndef ENGINE_KERNEL_BREAKPOINT_H
#define ENGINE_KERNEL_BREAKPOINT_H

#include "engine/engine.h"
#include "engine/kernel/event.h"

/* Returns 1 if the name begins with "mem:", else 0. */
int kernel_breakpoint_is(const char *name);

/*
 * Fill *ev except for its modes (exclude_*). Returns 0, or -1 with EINVAL if the name is
 * malformed; *why says what is wrong.
 */
int kernel_breakpoint_parse(const char *name, struct kernel_event *ev, struct why *why);

#endif
