/* Builds the requests of an event specification from its parsed items. */
#ifndef SUITE_REQUEST_FILL_H
#define SUITE_REQUEST_FILL_H

#include <stddef.h>
#include <stdint.h>

#include "suite/request/item.h"
#include "suite/request/spec.h"
#include "suite/request/value.h"

enum { MAX_PICS = 64 };

/* An attribute of the text. */
struct wanted_attr {
	struct span name; /* without the counter number */
	struct spec_attr kind;
	struct spec_value value;
	uint64_t pics; /* bit n: applies to counter n */
};

/* An event of the text. */
struct wanted_event {
	struct span name;
	unsigned pic;  /* its counter, which can be provisional; MAX_PICS: none yet */
	uint64_t pics; /* the counters that can count it; with picN= only counter N */
};

/* The state of the parser. Bit n of a mask is counter n. */
struct parse {
	const struct spec_names *names;
	struct spec_error *err;
	const char *text;
	uint64_t all, used, sys, nouser;
	struct wanted_event event[MAX_PICS]; /* nevents, in the order of the text */
	unsigned nevents;
	struct wanted_attr *attr;
	size_t nattrs;
};

/* Append to the error's text; base/say.h is needed. */
#define spec_say(p, ...) say_add((p)->err->text, sizeof((p)->err->text), __VA_ARGS__)

/* Set the column of the error to the place at. Returns -1 with EINVAL. */
int spec_fail(struct parse *p, const char *at);

/*
 * Fill s with the requests. Returns -1 with EINVAL and *p->err filled, or ENOMEM; s may then
 * be partly filled.
 */
int spec_fill(struct parse *p, struct spec *s);

#endif
