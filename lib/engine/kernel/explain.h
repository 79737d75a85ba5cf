/* The values that program an event, struct perf_event_attr, for --explain. */
#ifndef ENGINE_KERNEL_EXPLAIN_H
#define ENGINE_KERNEL_EXPLAIN_H

#include "engine/engine.h"
#include "engine/kernel/sysfs.h"

/* Like explain() of struct engine_words, with a part for each event of the kernel. */
void kernel_explain(const struct evsel *s, void *arg,
		    void (*fn)(void *arg, const struct engine_part *p));

/*
 * Like kernel_select(), but without opening events; root and core are as in struct
 * select_env. Also encodes "PMU::EVENT" of other processors if LIBPFM_ENCODE_INACTIVE was
 * in the environment when libpfm4 was initialised. NULL: errno is ENOENT, EINVAL or
 * ENOMEM.
 */
struct evsel *kernel_explain_draft(const char *root, const struct kernel_core *core,
				   unsigned ncores, const struct engine_request *req,
				   struct why *why);

#endif
