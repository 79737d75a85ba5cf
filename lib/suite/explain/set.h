/* How a set of events is programmed, as --explain shows it. */
#ifndef SUITE_EXPLAIN_SET_H
#define SUITE_EXPLAIN_SET_H

#include <stdint.h>

#include "engine/engine.h"

enum { EXPLAIN_FIELDS = 40 };

/* A register, or a structure that is passed to the kernel. */
struct explain_item {
	char name[64];
	const char *space; /* address space: "MSR", ...; NULL: no address */
	uint64_t addr;
	int valued; /* 1: value is valid; 0: only the name is shown, as for counters */
	uint64_t value;
	unsigned n;
	struct engine_field field[EXPLAIN_FIELDS];
	char *from; /* the expression or name that the item was made from, or NULL */
};

/* A list of items; an empty one is all zeros. */
struct explain_items {
	unsigned n;
	struct explain_item *item;
	int failed; /* memory ran out: an item or a text is missing */
};

/* A request of the set. */
struct explain_req {
	const char *name;   /* as the user wrote it */
	const char *native; /* the processor's own name if it differs, or NULL */
	const char *title;  /* or NULL */
	unsigned flags;	    /* CPC_COUNT_USER | CPC_COUNT_SYSTEM */
	int pic;	    /* its counter, -1: none assigned */
	struct explain_items items;
	const char *class;   /* of its values; NULL: no engine was queried or counts it */
	const char *note;    /* of that engine, or NULL */
	const char *refused; /* why the engine cannot count the event, or NULL */
};

/* A set of requests. */
struct explain_set {
	unsigned number; /* from 0, as in rows */
	const char *spec;
	const char *cpu, *title; /* of the processor, or NULL */
	const char *source;	 /* the document of its registers, or NULL */
	const char *engine;	 /* the engine that was queried, or NULL */
	unsigned n;
	struct explain_req *req;
	struct explain_items shared; /* items that several requests share */
	const char *refused;	     /* why the set cannot be programmed, or NULL */
};

/* Adds an item without fields to a list, which owns it. NULL: memory ran out. */
struct explain_item *explain_add_item(struct explain_items *items, const char *name);

/*
 * Adds a field; word, the name of the value, may be NULL. name and word must outlive the
 * item. Beyond EXPLAIN_FIELDS fields the call does nothing.
 */
void explain_add_field(struct explain_item *item, const char *name, uint64_t value,
		       const char *word);

/* Frees the items and leaves an empty list. */
void explain_items_free(struct explain_items *items);

/* Returns 1 if the set and all its requests can be programmed, else 0. */
int explain_set_programmable(const struct explain_set *s);

#endif
