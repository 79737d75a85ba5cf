/*
 * Event tables: which events a processor has, and which of its counters can count each.
 */
#ifndef TABLE_TABLE_H
#define TABLE_TABLE_H

#include <stdint.h>

#include "base/bits.h"
#include "sim/shared/vocab.h"

/* In which processor modes an event can happen (column mode=). */
enum evmode {
	MODE_BOTH, /* user and system, told apart */
	/* happens in the kernel only: counting user mode alone would always give 0 */
	MODE_KERNEL,
	MODE_NONE /* has no mode: user and system are always counted together */
};

/* A column that only some processors have: code0, umask, group, escr, ... */
struct evcol {
	const char *key;
	const char *text; /* as written, without quotes; NULL for a flag */
	/* its value if it is a number, 1 for a flag; pic=: bit n is counter n */
	uint64_t num;
};

/*
 * A resource that an event can be counted by, and the counters that it serves for it. An
 * event that has needs takes one of them, which then serves nobody else.
 */
struct evneed {
	unsigned res;  /* index into the table's res[], below 64 */
	uint64_t pics; /* bit n: counter n */
};

/* One row of events/<name>.events. A zero field means "none". */
struct event {
	const char *name, *title;
	unsigned num;  /* event number in the processor's own numbering */
	uint64_t pics; /* bit n: counter n can count it */
	/* candidates "[~][N*]EVENT[+EVENT...]|..." for today's machines */
	const char *host;
	const char *hostkey; /* their key in events/host.map */
	const char *sim;     /* expression over the model's counters */
	enum simclass simclass;
	enum evmode mode;
	unsigned nneeds; /* ESCRs, one of which it takes; 0: counters are all it needs */
	const struct evneed *needs;
	unsigned ncols;
	const struct evcol *cols;
};

/*
 * A processor's own name for a PAPI_* event, and the attribute it needs (attr may be
 * NULL).
 */
struct evgeneric {
	const char *name, *native;
	const char *attr;
	uint64_t val;
};

/* How the value of an attribute is written in an event specification. */
enum evform {
	FORM_NUMBER, /* one number */
	FORM_OPCODE, /* 64 bits, as a number or as "[mifb]:match:mask" */
	/* "START-END"; a request has two attributes of the name, first the start */
	FORM_RANGE
};

/* An attribute that requests may carry, and its largest value. */
struct evattr {
	const char *name;
	uint64_t max;
	enum evform form;
	int of_set;	/* not of one request: all of a set have the same, or none */
	unsigned times; /* how many a request may have; of ranges each counts once */
};

/*
 * A register that events share (ESCRs and counters of a Pentium 4); always has a column
 * "pic".
 */
struct evres {
	const char *kind, *name; /* "escr", "CRU2" */
	unsigned ncols;
	const struct evcol *cols;
};

/* Where a value comes from that a request puts into a field of a register. */
enum evfrom {
	FROM_NUMBER, /* val */
	FROM_NUM,    /* the number of the event, without its low val bits */
	FROM_CODE,   /* column code0=, code1=, ... of the event, by the counter */
	FROM_COLUMN, /* column key= of the event */
	FROM_ATTR,   /* attribute key of the request; 0 without it */
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

/* A field of a register: all values of all requests on its counters, or-ed together. */
struct evfield {
	struct bits_field at;
	uint64_t pics; /* bit n: requests on counter n give its value */
	int parks;     /* the field is set to parked if there is no such request */
	uint64_t parked;
	unsigned nvalues;
	const struct evvalue *value;
};

/* A register that is set when some of its counters count. */
struct evreg {
	const char *name;
	uint64_t pics;	   /* bit n: it is set for counter n */
	int shared;	   /* one register for all requests on these counters */
	const char *space; /* what its address is of, "MSR"; NULL: it has no address */
	uint64_t addr;
	/*
	 * "escr" or "counter": each request has such a register. The name of its ESCR or
	 * counter follows the name, and its column addrcol= is the address. Else NULL.
	 */
	const char *of, *addrcol;
	unsigned nfields; /* 0: the register is a counter */
	const struct evfield *field;
};

struct evtab {
	const char *name;     /* "us3" */
	const char *title;    /* counter interface name: "UltraSPARC III" */
	const char *cpuref;   /* where its events are documented */
	unsigned npic, width; /* counters, their width in bits */
	int samemode;	      /* all requests of a set must count the same modes */
	const char *machine;  /* the model that gives sim= (lib/sim/machine.h), or NULL */
	/*
	 * The call that programs it, whose rules say which counters events have; NULL: it
	 * has no such rules.
	 */
	const char *dispatch;
	unsigned n, ngeneric, nattrs;
	const struct event *ev;
	const struct evgeneric *generic;
	const struct evattr *attrs;
	unsigned nres;
	const struct evres *res;
	/* where its registers are documented, or "from memory"; NULL: it has none */
	const char *regref;
	const char *useronly; /* why requests cannot count system mode, or NULL */
	unsigned nregs;
	const struct evreg *reg;
};

/* In the documented order in which names are looked up (events/order); ends with NULL. */
extern const struct evtab *const evtabs[];

/*
 * NULL if there is none. Names are compared exactly; of rows with one number the first is
 * found.
 */
const struct evtab *evtab_find(const char *name);
const struct event *evtab_name(const struct evtab *t, const char *name);
const struct event *evtab_num(const struct evtab *t, unsigned num);
const struct evgeneric *evtab_generic(const struct evtab *t, const char *name);
const struct evattr *evtab_attr(const struct evtab *t, const char *name);
const struct evcol *evtab_col(const struct event *ev, const char *key);
/*
 * The bits that an event allows in an attribute: its column ATTR_valid. 0: it has none,
 * and the attribute's own limit is all.
 */
int evtab_valid(const struct event *ev, const char *attr, uint64_t *bits);
const struct evcol *evtab_rescol(const struct evres *res, const char *key);

#endif
