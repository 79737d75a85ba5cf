/* Which engine is to count: the one that is asked for, or the first that can. */
#ifndef SUITE_REQUEST_CHOOSE_ENGINE_H
#define SUITE_REQUEST_CHOOSE_ENGINE_H

#include <stddef.h>

#include <libcpc.h>
#include "suite/request/sets.h"

struct engine_choice {
	/* as of cpc_open_cpu(); engine NULL: $CPC_ENGINE, or "auto" without it */
	const char *cpu, *engine;
	unsigned nspecs;
	const char *const *spec; /* as of sets_add() */
	int running; /* what is to be counted runs already: it cannot be simulated */
};

/*
 * A session whose error handler is say, and the sets of all specifications. "auto": the
 * kernel if it can count them all, else the simulation if that can; what was told by an
 * engine that was tried in vain is told only if no other can. 0: *cpc and *sets are the
 * caller's; cpc_engine_notice() tells if it is not the kernel that counts. -1, with err, of
 * size bytes, "" unless said so: EINVAL: a bad specification, what is wrong is in err; or
 * what cpc_set_add_request() says of an event that cannot be counted, why was told to say;
 * ENOMEM; ENODEV: there is no such table or engine, err says which is missing.
 */
int choose_engine(const struct engine_choice *ask, cpc_errhndlr_t *say, cpc_t **cpc,
		  struct sets **sets, char *err, size_t size);

#endif
