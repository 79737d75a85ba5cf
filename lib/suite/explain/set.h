/* What --explain tells of a set of events, before it is printed. */
#ifndef SUITE_EXPLAIN_SET_H
#define SUITE_EXPLAIN_SET_H

#include <stdint.h>

#include "engine/engine.h"

enum { EXPLAIN_FIELDS = 40 };

/* A register, or a structure that the kernel is given. */
struct explain_item {
	char name[64];
	const char *space; /* what addr is of: "MSR", or NULL: it has no address */
	uint64_t addr;
	int valued; /* it is set to value; else it is named alone, as counters are */
	uint64_t value;
	unsigned n;
	struct engine_field field[EXPLAIN_FIELDS];
	char *from; /* what it was made from, or NULL */
};

/* Begins as zeros. */
struct explain_items {
	unsigned n;
	struct explain_item *item;
	int failed; /* there was no memory for one */
};

struct explain_req {
	const char *name;   /* as typed */
	const char *native; /* the processor's own, where that is another; or NULL */
	const char *title;
	unsigned flags;
	int pic; /* -1: it was given none */
	struct explain_items items;
	const char *class;   /* of its values, where an engine counts it; or NULL */
	const char *note;    /* of that engine, or NULL */
	const char *refused; /* by that engine: why; or NULL */
};

struct explain_set {
	unsigned number; /* from 0, as in rows */
	const char *spec;
	const char *cpu, *title; /* the processor and its title, or the engine's */
	const char *source;	 /* where its registers are documented, or NULL */
	const char *engine;	 /* that was asked, or NULL */
	unsigned n;
	struct explain_req *req;
	struct explain_items shared; /* by its requests */
	const char *refused;	     /* why they cannot be counted together, or NULL */
};

/* An item without fields, owned by the list; NULL: there is no memory, noted. */
struct explain_item *explain_add(struct explain_items *items, const char *name);

/* The word may be NULL; name and word are kept as they are. More than fit are left out. */
void explain_field(struct explain_item *item, const char *name, uint64_t value,
		   const char *word);

void explain_items_free(struct explain_items *items);

/* Can all of it be programmed? */
int explain_set_works(const struct explain_set *s);

#endif
