/*
 * An engine that takes every request that can be worded: sets are made as for counting,
 * with all checks of names, attributes and counters, and nothing is there to count them.
 */
#ifndef SUITE_EXPLAIN_ENGINE_H
#define SUITE_EXPLAIN_ENGINE_H

#include <libcpc.h>
#include "suite/explain/set.h"

/* What the engine that would count says of a request; zeros if it is not asked. */
struct explain_told {
	struct explain_items items;
	const char *class; /* or NULL */
	char *note, *refused;
};

/*
 * The real one is asked how it would program requests, and if it would count them: LWPs, or
 * a CPU.
 */
enum explain_asked { ASK_NOTHING, ASK_LWPS, ASK_CPUS };

/* It takes the place of cpc's own, for good. -1: ENOMEM. */
int explain_engine_take(cpc_t *cpc, enum explain_asked asked);

/* Of an event of such an engine; lives as long as s. */
const struct explain_told *explain_engine_told(const struct evsel *s);

#endif
