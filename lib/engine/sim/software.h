/* Software events, which the kernel counts beside the simulated events of a run. */
#ifndef ENGINE_SIM_SOFTWARE_H
#define ENGINE_SIM_SOFTWARE_H

#include "engine/engine.h"

/* The engine that counts the software events of a session. */
struct sim_software {
	const struct engine_ops *kernel; /* NULL: nothing counts them */
	struct engine *engine;		 /* NULL until a software event is encoded */
};

/*
 * The software events of a group, in the order of the group's events; the others are
 * valid if n is not 0.
 */
struct sim_software_group {
	unsigned n;
	const struct engine_ops *kernel;
	struct group *group;	  /* the kernel engine's */
	const struct evsel **sel; /* n evsels of the kernel engine; owned */
};

/* Does the engine of software events count this request? */
int sim_software_takes(const struct sim_software *w, const struct engine_request *req);

/* Close what the session has opened. */
void sim_software_close(struct sim_software *w);

/* encode() and drop() of struct engine_ops, for software events. */
struct evsel *sim_software_encode(struct sim_software *w,
				  const struct engine_request *req, struct why *why);
void sim_software_drop(struct evsel *s);

/* probe() and descriptors() of struct engine_ops; only software events have them. */
int sim_software_probe(const struct sim_software *w, const struct evsel *s,
		       struct why *why);
unsigned sim_software_descriptors(const struct evsel *const *sel, unsigned n);

/*
 * Counts the software events of sel[0..n-1] in *g. Returns 0, or -1 with errno and *why.
 */
int sim_software_bind(const struct sim_software *w, struct sim_software_group *g,
		      const struct target *t, const struct evsel *const *sel, unsigned n,
		      struct why *why);
void sim_software_unbind(struct sim_software_group *g);

/* Reads the values of the software events into val[0..g->n-1]. */
int sim_software_read(const struct sim_software_group *g, struct count *val);

/* freeze() and thaw() of struct engine_ops. */
int sim_software_freeze(const struct sim_software_group *g);
int sim_software_thaw(const struct sim_software_group *g);

#endif
