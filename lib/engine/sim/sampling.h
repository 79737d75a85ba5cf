/*
 * Records of events, taken by a simulated program of itself: without skid, exact to the
 * instruction.
 */
#ifndef ENGINE_SIM_SAMPLING_H
#define ENGINE_SIM_SAMPLING_H

#include "engine/engine.h"
#include "engine/sim/group.h"

/* The operations of struct engine_records; they take the parts of a session they need. */
struct evsel *sim_sampling_encode(struct sim_run *run, const struct engine_request *req,
				  unsigned latency, struct why *why);
uint64_t sim_sampling_probe(const struct sim_run *run, const struct evsel *s,
			    struct why *why);
struct smpl_source *sim_sampling_open(const struct evsel *s,
				      const struct engine_sampling *how, struct why *why);
void sim_sampling_close(struct smpl_source *src);
int sim_sampling_freeze(struct smpl_source *src);
int sim_sampling_thaw(struct smpl_source *src);
int sim_sampling_period(struct smpl_source *src, uint64_t period);
int sim_sampling_owns(struct smpl_source *src, int fd);
int sim_sampling_read(struct smpl_source *src, uint64_t *rec, unsigned max,
		      struct smpl_state *state);

#endif
