/* Translation of requests into events of the kernel that count them. */
#ifndef ENGINE_KERNEL_SELECT_H
#define ENGINE_KERNEL_SELECT_H

#include "engine/engine.h"
#include "engine/kernel/evsel.h"

/*
 * Translate a request; free the result with kernel_evsel_free(). Returns NULL with *why
 * and ENOENT (this machine does not have the event), EINVAL (malformed name or
 * attribute), ENOMEM, or the errno of env->opens() if an event of a table must be tried.
 */
struct evsel *kernel_select(const struct select_env *env,
			    const struct engine_request *req, struct why *why);

#endif
