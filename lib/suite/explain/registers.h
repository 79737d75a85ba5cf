/* Registers of a processor as requests program them. */
#ifndef SUITE_EXPLAIN_REGISTERS_H
#define SUITE_EXPLAIN_REGISTERS_H

#include "suite/explain/set.h"
#include "table/table.h"

/* A request on a counter of its processor. */
struct explain_use {
	const struct event *row;
	unsigned pic, flags, nattrs;
	const cpc_attr_t *attrs;
	const struct evres *escr;	 /* that it takes, or NULL */
	const struct evgeneric *generic; /* by which name it was asked for, or NULL */
	struct explain_items *items;	 /* where registers of its own go */
};

/*
 * Adds the registers of the table that these n requests set: shared registers to shared,
 * others to the items of their request. No two requests are on one counter.
 */
void explain_regs(const struct evtab *tab, const struct explain_use *use, unsigned n,
		  struct explain_items *shared);

/* An item of a register with its value in fields; they end with one without a name. */
struct explain_item *explain_reg(struct explain_items *items, const char *name,
				 const struct bits_field *field, uint64_t value);

#endif
