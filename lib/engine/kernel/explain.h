/* How an event is programmed: struct perf_event_attr, as names and values. */
#ifndef ENGINE_KERNEL_EXPLAIN_H
#define ENGINE_KERNEL_EXPLAIN_H

#include "engine/engine.h"
#include "engine/kernel/sysfs.h"

/* As explain() of struct engine_ops: a part for each event of the kernel. */
void kernel_explain(const struct evsel *s, void *arg,
		    void (*fn)(void *arg, const struct engine_part *p));

/*
 * As kernel_select(), but without trying what opens; root and core as in struct
 * select_env. Also for "PMU::EVENT" of other processors, if LIBPFM_ENCODE_INACTIVE was in
 * the environment when libpfm4 was first used.
 */
struct evsel *kernel_explain_draft(const char *root, const struct kernel_core *core,
				   unsigned ncores, const struct engine_request *ask,
				   struct why *why);

#endif
