/* Records of events, from inside a simulated program: without skid, exact to the instruction. */
#ifndef SIM_SMPL_H
#define SIM_SMPL_H

#include "engine/engine.h"
#include "engine/sim/group.h"

/* As those of struct engine_ops. */
struct evsel *sim_smpl_encode(struct sim_run *run, const struct evask *ask,
			      unsigned latency, struct why *why);
uint64_t sim_smpl_probe(const struct sim_run *run, const struct evsel *s,
			struct why *why);
struct smpl_source *sim_smpl_open(const struct evsel *s, const struct smpl_ask *ask,
				  struct why *why);
void sim_smpl_close(struct smpl_source *src);
int sim_smpl_freeze(struct smpl_source *src);
int sim_smpl_thaw(struct smpl_source *src);
int sim_smpl_period(struct smpl_source *src, uint64_t period);
int sim_smpl_owns(struct smpl_source *src, int fd);
int sim_smpl_read(struct smpl_source *src, uint64_t *rec, unsigned max,
		  struct smpl_state *state);

#endif
