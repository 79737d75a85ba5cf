/* The kernel engine counts events with perf_event_open(2). */
#ifndef ENGINE_KERNEL_ENGINE_H
#define ENGINE_KERNEL_ENGINE_H

#include "engine/engine.h"
#include "engine/kernel/event.h"

/*
 * Open a session in an environment; engine_kernel.open() does so in kernel_env_host.
 * Calls on one session must not run at the same time, except for read() of different
 * groups. Returns NULL with ENOMEM and *why.
 */
struct engine *kernel_open(const struct kernel_env *env, struct why *why);

#endif
