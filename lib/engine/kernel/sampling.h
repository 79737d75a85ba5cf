/* Sampling by the kernel: records of events of the calling LWP. */
#ifndef ENGINE_KERNEL_SAMPLING_H
#define ENGINE_KERNEL_SAMPLING_H

#include "engine/engine.h"
#include "engine/kernel/group.h"
#include "engine/kernel/select.h"

/*
 * The operations of struct engine_records; probe, open and encode take the parts of a
 * session that they need. If they fail and *why is "", perf_event_open(2) refused the
 * event *f.
 */
const char *kernel_sampling_iname(struct engine *e);
uint64_t kernel_sampling_probe(const struct kernel_env *env,
			       const struct select_env *senv, const struct evsel *s,
			       struct kernel_failure *f, struct why *why);
struct smpl_source *kernel_sampling_open(const struct kernel_env *env,
					 const struct select_env *senv,
					 const struct evsel *s,
					 const struct engine_sampling *how,
					 struct kernel_failure *f, struct why *why);
void kernel_sampling_close(struct smpl_source *src);

struct evsel *kernel_sampling_encode(const struct select_env *senv,
				     const struct engine_request *req, unsigned latency,
				     struct why *why);

int kernel_sampling_freeze(struct smpl_source *src);
int kernel_sampling_thaw(struct smpl_source *src);
int kernel_sampling_period(struct smpl_source *src, uint64_t period);
int kernel_sampling_owns(struct smpl_source *src, int fd);
int kernel_sampling_read(struct smpl_source *src, uint64_t *rec, unsigned max,
			 struct smpl_state *state);

#endif
