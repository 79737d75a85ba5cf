/* The values of registers that program a set of requests. */
#ifndef SUITE_EXPLAIN_REGISTERS_H
#define SUITE_EXPLAIN_REGISTERS_H

#include "suite/explain/set.h"
#include "table/table.h"

/* A request and the counter that is assigned to it. */
struct explain_assigned {
	const struct event *row;
	unsigned pic, nattrs;
	unsigned flags; /* CPC_COUNT_USER | CPC_COUNT_SYSTEM */
	const cpc_attr_t *attrs;
	const struct evres *escr; /* assigned to the request, or NULL */
	const struct evgeneric
		*generic;	     /* the PAPI_* event that the user named, or NULL */
	struct explain_items *items; /* receives the registers of this request only */
};

/*
 * Adds the registers that these n requests set: a register for several counters to
 * shared, any other to the items of its request. No two requests have the same counter.
 */
void explain_registers(const struct evtab *tab, const struct explain_assigned *use,
		       unsigned n, struct explain_items *shared);

/*
 * Adds a register as an item, its value split into fields; the last field has no name.
 * Returns the item, or NULL if memory ran out.
 */
struct explain_item *explain_add_register(struct explain_items *items, const char *name,
					  const struct bits_field *field, uint64_t value);

#endif
