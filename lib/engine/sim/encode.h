/* From requests to what the simulation counts for them. */
#ifndef ENGINE_SIM_ENCODE_H
#define ENGINE_SIM_ENCODE_H

#include "engine/engine.h"
#include "engine/sim/expression.h"

/*
 * The machine of a session: one at a time, that of the events that are there. What the
 * instruction stream alone tells is of any machine.
 */
struct sim_machine {
	const struct machine *model; /* if it has users */
	int given;		     /* it is the one that this program runs on */
	unsigned users;		     /* events that are of it */
};

struct evsel {
	struct sim_expression x;
	cpc_class_t class;
	struct sim_machine *machine;
	int of_machine;
	char note[512];
};

/* The machine, or the one that stands in where no event names one. */
const struct machine *sim_machine(const struct sim_machine *m);

/* As encode() and drop() of struct engine_ops. */
struct evsel *sim_encode(struct sim_machine *m, const struct engine_request *ask,
			 struct why *why);
void sim_encode_drop(struct evsel *s);

/* As explain() of struct engine_ops. */
void sim_explain(const struct evsel *s, void *arg,
		 void (*fn)(void *arg, const struct engine_part *p));

#endif
