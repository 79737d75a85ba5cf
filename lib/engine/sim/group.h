/* Groups of the simulation engine: counts of one LWP, or of a whole run. */
#ifndef ENGINE_SIM_GROUP_H
#define ENGINE_SIM_GROUP_H

#include "engine/engine.h"
#include "engine/sim/encode.h"
#include "engine/sim/pages.h"
#include "engine/sim/software.h"

/* The state of a session that its groups use. */
struct sim_run {
	struct sim_pages pages;
	struct sim_machine machine;
	struct sim_software software;
	int inside; /* this program is itself simulated */
	const char
		*option; /* of the tool, for a run that is to be reproducible; or NULL */
	const char *records; /* of the tool, for a run that is recorded; or NULL */
	uint64_t needs;	     /* counters that are counted whatever the events need */
};

/* Returns the counters (bit n: counter n) that a run must count for sel[0..n-1]. */
uint64_t sim_group_needs(struct sim_run *run, const struct evsel *const *sel, unsigned n);

/* Has an LWP or process ended? Zombies have. */
int sim_group_has_ended(pid_t tid);

/* The operations of struct engine_ops. */
struct group *sim_group_bind(struct sim_run *run, const struct target *t,
			     const struct evsel *const *sel, unsigned n, struct why *why);
int sim_group_read(struct group *g, struct count *val, int64_t *ns, uint64_t *on);
void sim_group_unbind(struct group *g);
int sim_group_freeze(struct group *g);
int sim_group_thaw(struct group *g, const uint64_t *after);

#endif
