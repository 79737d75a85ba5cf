/* From what was read of an event specification to its requests. */
#ifndef SUITE_REQUEST_FILL_H
#define SUITE_REQUEST_FILL_H

#include <stddef.h>
#include <stdint.h>

#include "suite/request/item.h"
#include "suite/request/spec.h"
#include "suite/request/value.h"

enum { MAX_PICS = 64 };

/* An attribute as it was written, for one counter or for all. */
struct mod {
	struct span name; /* without counter number */
	struct spec_attr attr;
	struct spec_value value;
	uint64_t pics; /* bit n: for counter n */
};

/* An event as it was written. */
struct wish {
	struct span event;
	unsigned pic;  /* where it stands for now */
	uint64_t pics; /* the counters that can count it, that of picN= alone */
};

/* What was read so far. Bit n of a mask: counter n. */
struct parse {
	const struct spec_names *names;
	struct spec_error *err;
	const char *text;
	uint64_t all, used, sys, nouser;
	struct wish wish[MAX_PICS]; /* in the text's order, of nwishes counters */
	unsigned nwishes;
	struct mod *mods;
	size_t nmods;
};

/* The error is at this place of the text. Always -1. */
int spec_fail(struct parse *p, const char *at);

/* -1: EINVAL and words, or ENOMEM; s may then be filled in part. */
int spec_fill(struct parse *p, struct spec *s);

#endif
