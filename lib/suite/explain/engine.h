/*
 * An engine for --explain: it accepts every request that is well formed and counts
 * nothing. Sets are made as for counting, with all checks of names, attributes and
 * counters.
 */
#ifndef SUITE_EXPLAIN_ENGINE_H
#define SUITE_EXPLAIN_ENGINE_H

#include <libcpc.h>
#include "suite/explain/set.h"

/* The answer of the engine that would count a request; zeros if no engine is queried. */
struct explain_answer {
	struct explain_items items;
	const char *class; /* of the values; NULL if the engine does not know the event */
	char *note;	   /* of the engine, or NULL */
	char *refused;	   /* why the engine cannot count the event, or NULL */
};

/* The query to the real engine: none, about counting LWPs, or about counting CPUs. */
enum explain_query { QUERY_NONE, QUERY_LWPS, QUERY_CPUS };

/* Replaces the engine of a session, until its end. Returns 0, or -1 with ENOMEM. */
int explain_engine_install(cpc_t *cpc, enum explain_query query);

/* Returns the answer for an event of this engine; it lives as long as the event. */
const struct explain_answer *explain_engine_answer(const struct evsel *s);

#endif
