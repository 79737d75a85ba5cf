/*
 * A kind of registers by which counters are programmed, as data: whose they are, and where
 * the values of their fields come from.
 */
#ifndef SUITE_EXPLAIN_KIND_H
#define SUITE_EXPLAIN_KIND_H

#include <stdint.h>

#include "base/bits.h"

/* Where the value of a field comes from: of each request that has one of the counters. */
enum explain_from {
	FROM_CONST,  /* val */
	FROM_UNIT,   /* the number of the register among those of its kind */
	FROM_NUM,    /* the number of the event, without its low val bits */
	FROM_CODE,   /* its column code0=, code1=, ... by its counter */
	FROM_COL,    /* its column key= */
	FROM_ATTR,   /* its attribute key; 0 without it */
	FROM_IF,     /* 1 if it has the attribute, and not 0 */
	FROM_UNLESS, /* 0 if so, else 1 */
	FROM_USER,   /* 1 if user mode is counted, */
	FROM_SYSTEM, /* system mode */
	FROM_ESCR    /* column key= of the ESCR that the request takes */
};

/* Several of one field are or-ed together. */
struct explain_part {
	const char *field;
	enum explain_from from;
	const char *key;
	uint64_t val;
	uint64_t pics; /* bit n: for counter n of the register; 0: for all */
	/* the field's value if no request has such a counter, and what it is called */
	uint64_t idle;
	const char *idle_word;
};

/* What the name and the address of a register are of. */
enum explain_of {
	OF_CPU,	 /* numbered name, address base + step * number */
	OF_SELF, /* the same without a number in its name */
	OF_ESCR, /* the ESCR that the request takes: its name, column key= */
	OF_PIC	 /* the processor's resource of kind "counter": column key= */
};

/* Registers of one kind: the first for counters 0 to per - 1, and so on. */
struct explain_kind {
	const char *name;
	enum explain_of of;
	unsigned per;	   /* 1: of a request; more: shared */
	uint64_t pics;	   /* bit n: there is one for counter n */
	const char *space; /* NULL: it has no address */
	const char *key;
	uint64_t base, step;
	/* NULL: a counter, which is named alone; ends with one without a name */
	const struct reg_field *field;
	const struct explain_part *part; /* ends with one without a field */
};

#endif
