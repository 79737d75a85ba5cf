/* Breakpoints as events: mem:ADDR[/LEN][:x|r|w|rw], the way perf(1) writes them. */
#ifndef ENGINE_KERNEL_BREAKPOINT_H
#define ENGINE_KERNEL_BREAKPOINT_H

#include "engine/engine.h"
#include "engine/kernel/event.h"

/* Is name of this form? (It may still be malformed.) */
int kernel_breakpoint_is(const char *name);

/* Fill *ev but for the modes. -1, EINVAL: malformed, *why says what is wrong. */
int kernel_breakpoint_parse(const char *name, struct kernel_event *ev, struct why *why);

#endif
