/*
 * What an event name means: a row of a table, or a name that the engine knows by itself.
 */
#ifndef CPC_NAMES_H
#define CPC_NAMES_H

#include <stdint.h>

#include "engine/engine.h"
#include "table/table.h"

/* Where names are looked up. */
struct scope {
	/* only in this table and under its counters' rules, or NULL */
	const struct evtab *cpu;
	const struct engine_ops *ops;
	struct engine *engine;
};

struct resolved {
	const struct evtab *tab; /* NULL: the engine's own name */
	/* how it is counted; for a PAPI_* name of tab: the generic row */
	const struct event *row;
	/* where names are looked up in tab alone: its own event, whose rules hold */
	const struct event *own;
	uint64_t pics; /* counters that can count it */
};

/*
 * 0, or -1 with EINVAL: unknown. In a processor's table: its names, its PAPI_* names, its
 * event numbers. Else: "table::NAME", software events, the engine's own names and
 * numbers, then the tables in their order. (Software events come first since libpfm4's
 * are the same and it takes long to start.)
 */
int resolve_name(const struct scope *s, const char *name, struct resolved *m);

/* The same, in a table alone. */
int resolve_in(const struct evtab *tab, const char *name, struct resolved *m);

/* Call fn for every name that resolve_name() knows; title may be NULL. */
void resolve_walk(const struct scope *s, void *arg,
		  void (*fn)(void *arg, const struct evtab *tab, const char *name,
			     const char *title));

/* "did you mean ...?", or "" if nothing is near. Returns buf. */
const char *resolve_suggest(const struct scope *s, const char *name, char *buf,
			    unsigned size);

#endif
