/* Counters for Itanium 2 events that are counted together, or the words why not. */
#ifndef ITANIUM2_ASSIGN_H
#define ITANIUM2_ASSIGN_H

#include <stddef.h>
#include <stdint.h>

#include "table/table.h"

/* An event of the table itanium2, as somebody calls it. */
struct itanium2_event_wanted {
	const char *name;
	const struct event *row;
	uint64_t
		can; /* bit n: counter n will do; what the event allows is seen to here */
};

/*
 * pic[i] is the counter of w[i], the first that fit in lexicographic order, by the rules
 * of pfm_dispatch_events(). -1, EINVAL: they cannot be counted together; err, of size
 * bytes, names them and the rule, in one line without a newline. n is at most 64.
 */
int itanium2_assign(const struct itanium2_event_wanted *w, unsigned n, unsigned *pic,
		    char *err, size_t size);

#endif
