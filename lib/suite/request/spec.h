/*
 * Event specifications: the text after -c, by the rules of Solaris' cpc tools
 * (cputrack(1)):
 *
 *     [picN=]event[,attr[N][=value]][,[picN=]event[,attr[N][=value]],...][,]
 *
 * Ours: names may hold "::", ":" (also ":name=value") and a "/.../" part; attributes may
 * be of the whole set, and have other values than numbers. The parser is a function of
 * its arguments alone; what it needs to know about events it asks through struct
 * spec_names.
 */
#ifndef SUITE_REQUEST_SPEC_H
#define SUITE_REQUEST_SPEC_H

#include <stddef.h>
#include <stdint.h>

#include <libcpc.h>

/* How the value of an attribute is written. Numbers are in base 0. */
enum spec_form {
	SPEC_NUMBER, /* a number; 1 if there is none */
	SPEC_OPCODE, /* of an opcode matcher: 64 bits, or "[mifb]:match:mask" */
	/*
	 * "START-END", END above START and not part of it: becomes two attributes of this
	 * name in a request, first the start
	 */
	SPEC_RANGE
};

struct spec_attr {
	enum spec_form form;
	/* Of no counter, but of the whole set: all requests have it, with one value. */
	int of_set;
	unsigned times; /* how often a request may have it; 0 as 1 */
};

struct spec_req;

/*
 * What the parser asks about names: of events with at most CPC_MAX_EVENT_LEN - 1 bytes,
 * of attributes with at most CPC_MAX_ATTR_LEN - 1.
 */
struct spec_names {
	unsigned npic; /* counters are 0..npic-1; at most 64 */
	void *arg;     /* given to the calls */

	/* 0 and the counters that can count it (bit n: counter n); -1: no such event. */
	int (*event)(void *arg, const char *name, uint64_t *pics);

	/* Nonzero: name is an attribute (without counter number), and *is, zeroed, filled. */
	int (*attr)(void *arg, const char *name, struct spec_attr *is);

	/*
	 * Gives each of n >= 1 requests, which stand in the text's order and have no
	 * attributes yet, its counter, one of its pics. -1: they cannot be counted
	 * together, and what their pic is then means nothing. The member is NULL where
	 * events without picN= fill counters upwards.
	 */
	int (*place)(void *arg, unsigned n, struct spec_req *req);
};

/* One request, in ascending order of counters. */
struct spec_req {
	char *event;
	unsigned pic; /* the counter that it takes */
	/*
	 * That counter alone (bit n: counter n). Else place() found none, these are what
	 * the event could have had, and pic just tells where it stands.
	 */
	uint64_t pics;
	unsigned flags;	 /* CPC_COUNT_USER, CPC_COUNT_SYSTEM; 0 for nouser without sys */
	unsigned column; /* of the event's name in the text, from 1 */
	unsigned nattrs;
	cpc_attr_t *attrs; /* in the text's order, without picnum */
};

struct spec {
	unsigned n; /* 0 for an empty text, which is no error here */
	struct spec_req *req;
};

/* What is wrong, and where. */
struct spec_error {
	unsigned column; /* in bytes, from 1; a value missing at the end: behind it */
	char token[CPC_MAX_EVENT_LEN]; /* the name that was not known, or "" */
	char text[1024]; /* "bad token 'X'", ... as the original words it, then ours */
};

/*
 * The caller frees the result with spec_free(). NULL: EINVAL with *err filled, or ENOMEM
 * with *err empty.
 */
struct spec *spec_parse(const char *text, const struct spec_names *names,
			struct spec_error *err);

/* NULL is allowed. */
void spec_free(struct spec *s);

#endif
