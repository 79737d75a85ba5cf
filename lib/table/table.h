/* Event tables: the events of each processor, and the counters that can count them. */
#ifndef TABLE_TABLE_H
#define TABLE_TABLE_H

#include <stdint.h>

#include "base/bits.h"
#include "sim/shared/vocab.h"

/* A column that only some tables have: code0, umask, group, escr, ... */
struct evcol {
	const char *key;
	const char *text; /* the value as written, without quotes; NULL for a flag */
	/* the value if it is a number, 1 for a flag; of column pic: bit n is counter n */
	uint64_t num;
};

/*
 * A resource that an event can take, and the counters that can count the event with that
 * resource. A request for an event with needs takes one of these resources for itself.
 */
struct evneed {
	unsigned res;  /* index into the table's res[], below 64 */
	uint64_t pics; /* bit n: counter n */
};

/* One row of events/<name>.events. A field of 0 or NULL means "none". */
struct event {
	const char *name, *title;
	unsigned num;  /* the number of the event in the processor's documents */
	uint64_t pics; /* bit n: counter n can count the event */
	/* candidates "[~][N*]EVENT[+EVENT...]|..." of events/host.map */
	const char *host;
	const char *hostkey; /* the key of the candidates in events/host.map */
	const char *unit;    /* of the counts: "cycles", or NULL if they are numbers */
	const char *sim;     /* expression over the model's counters */
	enum simclass simclass;
	unsigned nneeds; /* ESCRs, one of which it takes; 0: it needs only a counter */
	const struct evneed *needs;
	unsigned ncols;
	const struct evcol *cols;
};

/* A PAPI_* name, and the event of the processor for which it stands. */
struct evgeneric {
	const char *name, *native; /* native: name or number of an event */
	const char *attr;	   /* the request gets this attribute, or NULL */
	uint64_t val;		   /* value of attr */
};

/* The syntax of an attribute's value in an event specification. */
enum evform {
	FORM_NUMBER, /* one number */
	FORM_OPCODE, /* 64 bits, as a number or as "[mifb]:match:mask" */
	/* "START-END"; the request then has two attributes of this name: start, end */
	FORM_RANGE
};

/* An attribute that requests may carry, and its largest value. */
struct evattr {
	const char *name;
	uint64_t max;
	enum evform form;
	int of_set;	/* all requests of a set must have the same value, or none */
	unsigned times; /* how often a request may have it; a range counts once */
};

/* A register of a Pentium 4, an ESCR or a counter. It always has a column "pic". */
struct evres {
	const char *kind, *name; /* kind: "escr" or "counter"; name: "CRU2" */
	unsigned ncols;
	const struct evcol *cols;
};

/* The source of a value that a request puts into a field of a register. */
enum evfrom {
	FROM_NUMBER, /* val */
	FROM_NUM,    /* the number of the event, without its low val bits */
	FROM_CODE,   /* column code0= of the event on counter 0, code1= on 1, ... */
	FROM_COLUMN, /* column key= of the event */
	FROM_ATTR,   /* attribute key of the request; 0 if the request has none */
	FROM_IF,     /* 1 if the request has attribute key and it is not 0, else 0 */
	FROM_UNLESS, /* 0 if the request has attribute key and it is not 0, else 1 */
	FROM_USER,   /* 1 if the request counts user mode, else 0 */
	FROM_SYSTEM, /* 1 if the request counts system mode, else 0 */
	FROM_ESCR    /* column key= of the ESCR that the request takes */
};

struct evvalue {
	enum evfrom from;
	const char *key;
	uint64_t val;
};

/* A field of a register: the values of all requests on its counters, or-ed together. */
struct evfield {
	struct bits_field at;
	uint64_t pics;	/* bit n: requests on counter n give the field its value */
	int has_parked; /* 1: the field is parked if no request gives a value */
	uint64_t parked;
	unsigned nvalues;
	const struct evvalue *value;
};

/* A register that is set when some of its counters count. */
struct evreg {
	const char *name;
	uint64_t pics;	   /* bit n: the register is set if counter n counts */
	int shared;	   /* one register for all requests on these counters */
	const char *space; /* address space, "MSR"; NULL: the register has no address */
	uint64_t addr;
	/*
	 * "escr" or "counter": each request has such a register of its own. Then the name
	 * of the ESCR or counter follows name, and column addrcol= of the ESCR or counter
	 * is the address. NULL: there is one register.
	 */
	const char *of, *addrcol;
	unsigned nfields; /* 0: the register is a counter */
	const struct evfield *field;
};

struct evtab {
	const char *name;     /* "us3" */
	const char *title;    /* counter interface name: "UltraSPARC III" */
	const char *cpuref;   /* sentence: where the events are documented */
	unsigned npic, width; /* counters, their width in bits */
	int samemode;	      /* all requests of a set must count the same modes */
	const char *machine;  /* model for sim= (lib/sim/shared/machine.h), or NULL */
	/* The call that programs the processor and assigns its counters, or NULL. */
	const char *dispatch;
	unsigned n, ngeneric, nattrs;
	const struct event *ev;
	const struct evgeneric *generic;
	const struct evattr *attrs;
	unsigned nres;
	const struct evres *res;
	/* where the registers are documented, or "from memory"; NULL: none known */
	const char *regref;
	const char *useronly; /* why requests cannot count system mode, or NULL */
	unsigned nregs;
	const struct evreg *reg;
};

/* In the documented order in which names are looked up (events/order); ends with NULL. */
extern const struct evtab *const evtabs[];

/*
 * Each call returns what has this name, number or key, or NULL if nothing has. Names are
 * compared exactly. If several rows have the number, the first one is returned.
 */
const struct evtab *evtab_find(const char *name);
const struct event *evtab_name(const struct evtab *t, const char *name);
const struct event *evtab_num(const struct evtab *t, unsigned num);
const struct evgeneric *evtab_generic(const struct evtab *t, const char *name);
const struct evattr *evtab_attr(const struct evtab *t, const char *name);
const struct evcol *evtab_col(const struct event *ev, const char *key);
const struct evcol *evtab_rescol(const struct evres *res, const char *key);

/*
 * Put the bits that an event allows in an attribute (its column ATTR_valid) into *bits
 * and return 1. Returns 0 if only the limit of the attribute itself applies.
 */
int evtab_valid(const struct event *ev, const char *attr, uint64_t *bits);

#endif
