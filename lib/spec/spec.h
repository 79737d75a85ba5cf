/*
 * Event specifications: the text after -c, with the syntax of Solaris' cpc tools
 * (opencpc-events(7)):
 *
 *     [picN=]event[,attr[N][=value]][,[picN=]event[,attr[N][=value]],...][,]
 *
 * Unlike there, names may contain "::", ":" (also ":name=value") and a "/.../" part, and
 * attributes may apply to the whole set and have values other than numbers. The parser
 * depends on its arguments only; the names that exist are in struct spec_names.
 */
#ifndef SPEC_SPEC_H
#define SPEC_SPEC_H

#include <stddef.h>
#include <stdint.h>

#include <libcpc.h>
#include "engine/engine.h"

/* The syntax of an attribute's value. Numbers are decimal, 0x hexadecimal or 0 octal. */
enum spec_form {
	SPEC_NUMBER, /* a number; 1 if there is none */
	SPEC_OPCODE, /* for an opcode matcher: 64 bits, or "[mifb]:match:mask" */
	/*
	 * "START-END", where END is above START and the first address after the range. A
	 * request has two attributes for it, START and END.
	 */
	SPEC_RANGE
};

struct spec_attr {
	enum spec_form form;
	int of_set; /* applies to the set: all requests have it, with the same value */
	unsigned times; /* how often a request may have it; 0 means once */
};

/* The most counters that a set can use. Masks of counters are as of engine_pic_bit(). */
enum { SPEC_MAX_PICS = ENGINE_MOST_PICS };

struct spec_req;

/*
 * The names that a specification can use. The parser passes event names of at most
 * CPC_MAX_EVENT_LEN - 1 bytes, and attribute names of at most CPC_MAX_ATTR_LEN - 1.
 */
struct spec_names {
	unsigned npic; /* counters are 0..npic-1; at most 64 with place() */
	void *arg;     /* passed to the functions */

	/*
	 * Set *pics to the mask of the counters that can count an event and return 0, or
	 * return -1 if there is no such event.
	 */
	int (*event)(void *arg, const char *name, uint64_t *pics);

	/*
	 * Fill *attr, which is zeroed, and return nonzero if name (without a counter
	 * number) is an attribute.
	 */
	int (*attr)(void *arg, const char *name, struct spec_attr *attr);

	/*
	 * Set the pic of each of n >= 1 requests to one of its pics. The requests are in
	 * the order of the text and have no attributes yet. Returns -1 if they cannot be
	 * counted together; their pic is then undefined. If place is NULL, an event
	 * without picN= takes the next higher counter.
	 */
	int (*place)(void *arg, unsigned n, struct spec_req *req);
};

/* One event and its counter. */
struct spec_req {
	char *event;
	unsigned pic; /* its counter; provisional if place() failed */
	/* mask of pic; or, if place() failed, of all counters that can count the event */
	uint64_t pics;
	unsigned flags;	 /* CPC_COUNT_USER, CPC_COUNT_SYSTEM; 0 for nouser without sys */
	unsigned column; /* of the event's name in the text, from 1 */
	unsigned nattrs;
	cpc_attr_t *attrs; /* in the order of the text, without picnum */
};

struct spec {
	unsigned n;	      /* 0 for an empty text, which is valid */
	struct spec_req *req; /* by ascending counter */
};

struct spec_error {
	/* of the mistake, in bytes from 1; of a missing value: after its item */
	unsigned column;
	char token[CPC_MAX_EVENT_LEN]; /* the name that is not known, or "" */
	/* the message: the words of the original ("bad token 'X'"), then a hint */
	char text[1024];
};

/*
 * Parse a specification. The caller frees the result with spec_free(). Returns NULL with
 * EINVAL and *err filled, or with ENOMEM and *err zeroed.
 */
struct spec *spec_parse(const char *text, const struct spec_names *names,
			struct spec_error *err);

/* Free a specification, or do nothing for NULL. */
void spec_free(struct spec *s);

#endif
