/* Event names, each of which refers to a row of a table or to an event of the engine. */
#ifndef CPC_NAMES_H
#define CPC_NAMES_H

#include <stdint.h>

#include "engine/engine.h"
#include "table/table.h"

/* The tables and the engine in which names are looked up. */
struct scope {
	/* if not NULL, only this table is searched, and the rules of its counters hold */
	const struct evtab *cpu;
	const struct engine_ops *ops;
	struct engine *engine;
};

struct resolved {
	const struct evtab *tab; /* NULL: a name of the engine */
	/*
	 * the row that says how the event is counted; for a PAPI_* name, the generic row
	 */
	const struct event *row;
	/* if only tab is searched: the event of tab, whose rules hold */
	const struct event *own;
	uint64_t pics; /* mask of the counters that can count it: engine_pic_bit() */
};

/*
 * Look a name up. Returns -1 with EINVAL if the name is unknown. With a table of a
 * processor: its names, its PAPI_* names, its event numbers. Otherwise: "table::NAME",
 * the software events, the names and numbers of the engine, then the tables in their
 * order. (The software events come before libpfm4, which has the same names and takes
 * long to start.)
 */
int resolve_name(const struct scope *s, const char *name, struct resolved *m);

/* Look a name up in one table, as resolve_name() does. */
int resolve_in(const struct evtab *tab, const char *name, struct resolved *m);

/*
 * Call fn for every name that resolve_name() knows; title may be NULL.
 * resolve_walk_tables() leaves out the names of the engine.
 */
void resolve_walk(const struct scope *s, void *arg,
		  void (*fn)(void *arg, const struct evtab *tab, const char *name,
			     const char *title));
void resolve_walk_tables(const struct scope *s, void *arg,
			 void (*fn)(void *arg, const struct evtab *tab, const char *name,
				    const char *title));

/* Write "did you mean ...?" into buf, or "" if no name is similar. Returns buf. */
const char *resolve_suggest(const struct scope *s, const char *name, char *buf,
			    unsigned size);

#endif
