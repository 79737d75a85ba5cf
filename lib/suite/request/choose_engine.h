/* Chooses the engine that counts the sets of a command. */
#ifndef SUITE_REQUEST_CHOOSE_ENGINE_H
#define SUITE_REQUEST_CHOOSE_ENGINE_H

#include <stddef.h>

#include <libcpc.h>
#include "engine/engine.h"
#include "suite/request/sets.h"

struct engine_choice {
	/* as for cpc_open_cpu(); engine NULL: "auto" */
	const char *cpu, *engine;
	/*
	 * NULL, or a session for cpu and for the first engine that is tried, which
	 * belongs to choose_engine()
	 */
	cpc_t *session;
	int tried; /* session can count each event of spec, which is not tried again */
	unsigned nspecs;
	const char *const *spec; /* nspecs event specifications, as for sets_add() */
	unsigned set_flags;	 /* of each set, as for cpc_set_flags() (opencpc.h) */
	int places;  /* the caller calls cpc_place() for breakpoints at names */
	int running; /* counts a process that runs already, which cannot be simulated */
	int cgroups; /* counts cgroups, not whole CPUs */
	struct engine_machine machine; /* the user's choice; needs the engine sim */
	/*
	 * the level of reproduce() of struct engine_ops, which needs the simulation; or
	 * NULL
	 */
	const char *reproducible;
};

/* Return the name of the engine that must count, or NULL if the choice is free. */
const char *choose_engine_wanted(const struct engine_choice *choice);

/*
 * Open a session with the chosen engine and add the sets of all specifications. "auto" is
 * the kernel if it can count all sets and the run need not be reproducible, else the
 * simulation. Messages go to handler;
 * the messages of an engine that cannot count are dropped if the other can.
 *
 * Returns 0, and the caller owns *cpc and *sets; cpc_engine_notice() reports that another
 * engine than the kernel was chosen. Returns -1 with
 *     EINVAL    a bad specification, which err describes
 *     ENODEV    there is no such table or engine; err has its name
 *     ENOMEM
 *     an errno of cpc_set_add_request() if an event cannot be counted
 * err has size bytes and is "" in the other cases.
 */
int choose_engine(const struct engine_choice *choice, cpc_errhndlr_t *handler,
		  cpc_t **cpc, struct sets **sets, char *err, size_t size);

#endif
