/* The kernel engine: events are counted by perf_event_open(2). */
#ifndef ENGINE_KERNEL_ENGINE_H
#define ENGINE_KERNEL_ENGINE_H

#include "engine/engine.h"
#include "engine/kernel/group.h"

/*
 * A session in an environment that must outlive it. engine_kernel.open() is this with
 * the machine's own. Calls on one session must not run at the same time, but for read()
 * of different groups. NULL: ENOMEM.
 */
struct engine *kernel_open(const struct kernel_env *env, struct why *why);

#endif
