/* Requests of events, translated to expressions over the model's counters. */
#ifndef ENGINE_SIM_ENCODE_H
#define ENGINE_SIM_ENCODE_H

#include "engine/engine.h"
#include "engine/sim/expression.h"

/*
 * The machine that a session simulates, which is the machine of its events. An event that
 * depends only on the instruction stream belongs to every machine.
 */
struct sim_machine {
	const struct machine *model; /* valid if users is not 0 */
	int given;		     /* this program itself runs on the machine */
	unsigned users;		     /* events that belong to the machine, and given */
};

struct evsel {
	struct sim_expression x;
	cpc_class_t class;
	struct sim_machine *machine; /* the session's machine */
	int of_machine;		     /* the event is one of the machine's users */
	char note[512];
};

/*
 * Returns the machine of a session, or the generic machine if no event names a machine.
 */
const struct machine *sim_machine(const struct sim_machine *m);

/* Returns the machine with this name, or NULL. */
const struct machine *sim_machine_find(const char *name);

/* encode() and drop() of struct engine_ops. */
struct evsel *sim_encode(struct sim_machine *m, const struct engine_request *req,
			 struct why *why);
void sim_encode_drop(struct evsel *s);

/* source() of struct engine_ops. */
enum source sim_encode_source(const struct evsel *s);

/* explain() of struct engine_words. */
void sim_explain(const struct evsel *s, void *arg,
		 void (*fn)(void *arg, const struct engine_part *p));

#endif
