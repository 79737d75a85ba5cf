/* Builds the requests of an event specification from its parsed items. */
#ifndef SPEC_FILL_H
#define SPEC_FILL_H

#include <stddef.h>
#include <stdint.h>

#include "spec/item.h"
#include "spec/spec.h"
#include "spec/value.h"

enum { MAX_PICS = SPEC_MAX_PICS };

/* An attribute of the text. */
struct wanted_attr {
	struct span name; /* without the counter number */
	struct spec_attr kind;
	struct spec_value value;
	int pic; /* the counter that it applies to; -1: all */
};

/* An event of the text. */
struct wanted_event {
	struct span name;
	unsigned pic; /* its counter, which can be provisional; MAX_PICS: none yet */
	/* mask of the counters that can count it; with picN= of counter N */
	uint64_t pics;
};

/* The state of the parser. Masks of counters are those of spec.h. */
struct parse {
	const struct spec_names *names;
	struct spec_error *err;
	const char *text;
	unsigned npic;
	uint64_t all;				       /* mask of all counters */
	unsigned top;				       /* the highest used counter + 1 */
	unsigned char used[MAX_PICS];		       /* 1: the counter has an event */
	unsigned char sys[MAX_PICS], nouser[MAX_PICS]; /* 1: the mode of the counter */
	struct wanted_event *event;		       /* in the order of the text */
	unsigned nevents;
	struct wanted_attr *attr;
	size_t nattrs;
};

/* Append to the error's text; base/say.h is needed. */
#define spec_say(p, ...) say_add((p)->err->text, sizeof((p)->err->text), __VA_ARGS__)

/* Set the column of the error to the place at. Returns -1 with EINVAL. */
int spec_fail(struct parse *p, const char *at);

/* Mark a counter as used. */
void spec_use(struct parse *p, unsigned pic);

/*
 * Fill s with the requests. Returns -1 with EINVAL and *p->err filled, or ENOMEM; s may
 * then be partly filled.
 */
int spec_fill(struct parse *p, struct spec *s);

#endif
