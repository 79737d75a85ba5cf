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
	int given;  /* the user chose the machine, or this program itself runs on it */
	int chosen; /* the user chose it: events of all tables are counted on it */
	unsigned users;		    /* events that belong to the machine, and given */
	struct engine_machine user; /* the user's choice; its machine is not used */
	unsigned nknown;
	struct machine **known; /* nknown machines that were used or named, owned */
};

struct evsel {
	struct sim_expression x;
	cpc_class_t class;
	unsigned modes;		     /* of the request */
	struct sim_machine *machine; /* the session's machine */
	int of_machine;		     /* the event is one of the machine's users */
	/*
	 * A software event has no expression and no machine: the kernel engine counts
	 * it, and only its operations can use the evsel. Else both are NULL.
	 */
	const struct engine_ops *kernel;
	struct evsel *counted;
	char note[512];
};

/*
 * Returns the machine of a session, or the generic machine if no event names a machine;
 * NULL with ENOMEM, or with EINVAL if the user's changes do not suit the machine. why may
 * be NULL.
 */
const struct machine *sim_machine(struct sim_machine *session, struct why *why);

/*
 * Let a session, which has no events yet, simulate a copy of m; chosen: the user chose m.
 * Returns 0, or -1 with ENOMEM.
 */
int sim_machine_use(struct sim_machine *session, const struct machine *m, int chosen);

/* Free the machines that a session knows. */
void sim_machine_free(struct sim_machine *session);

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
