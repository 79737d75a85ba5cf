/*
 * The number that gives a count its meaning: a share of another count of the same run, a
 * quotient of the two, or a rate.
 */
#ifndef SUITE_SCREEN_RATIO_H
#define SUITE_SCREEN_RATIO_H

#include <stdint.h>

#include <libcpc.h>
#include "base/text.h"

/* The counts of a run. Strings and values belong to the caller. */
struct ratio_run {
	unsigned n;
	const struct ratio_count {
		const char *name;
		const char *mode; /* "user", "sys", "user+sys", ""; NULL: not known */
		const char *unit; /* "1", "ns" or "cycles"; NULL: not known */
		const cpc_value_t *value;
	} * count;
	int64_t wall_ns; /* the duration of the run; 0: not known, or of a simulator */
};

/*
 * Append the ratio of count i, such as "1.52 per cycle", "3.10 % of branches" or "43.9
 * per second". Nothing is appended if there is none: the count is not available, the
 * count that it relates to is not, is 0 or is of other modes, and a rate makes no sense.
 */
void ratio_put(struct textbuf *b, const struct ratio_run *run, unsigned i);

#endif
