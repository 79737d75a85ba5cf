/*
 * An engine for --explain: it accepts every request that is well formed and counts
 * nothing. Sets are made as for counting, with all checks of names, attributes and
 * counters.
 */
#ifndef SUITE_EXPLAIN_ENGINE_H
#define SUITE_EXPLAIN_ENGINE_H

#include <libcpc.h>
#include "suite/explain/set.h"

/* How the engine that would count programs a request; zeros if it is not queried. */
struct explain_answer {
	struct explain_items items;
	const char *class; /* of the values; NULL if it does not know the event */
	char *note;	   /* of the engine, or NULL */
	char *refused;	   /* why it cannot count the event, or NULL */
};

/* Whether the real engine is queried, and for counting LWPs or CPUs. */
enum explain_query { QUERY_NONE, QUERY_LWPS, QUERY_CPUS };

/* Replaces the engine of a session, until its end. Returns 0, or -1 with ENOMEM. */
int explain_engine_install(cpc_t *cpc, enum explain_query query);

/* Returns the answer for an event of this engine; it lives as long as the event. */
const struct explain_answer *explain_engine_answer(const struct evsel *s);

#endif
