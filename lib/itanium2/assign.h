/* Assigns counters to Itanium 2 events, or says why no assignment is possible. */
#ifndef ITANIUM2_ASSIGN_H
#define ITANIUM2_ASSIGN_H

#include <stddef.h>
#include <stdint.h>

#include "table/table.h"

/* An event of the table itanium2 that a caller wants to count. */
struct itanium2_wanted_event {
	const char *name; /* for messages */
	const struct event *row;
	uint64_t pics; /* bit n: the caller allows counter n */
};

/*
 * Stores the counter of w[i] in pic[i], by the rules of pfm_dispatch_events(): the first
 * valid assignment in lexicographic order. n is at most 64. Returns 0, or -1 with EINVAL
 * if the events cannot be counted together; err, of size bytes, then names the events and
 * the rule, in one line without a newline.
 */
int itanium2_assign(const struct itanium2_wanted_event *w, unsigned n, unsigned *pic,
		    char *err, size_t size);

#endif
