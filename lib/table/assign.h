/*
 * Counter assignment: give each request a counter that can count it, and what the counter
 * needs for that, no two the same.
 */
#ifndef TABLE_ASSIGN_H
#define TABLE_ASSIGN_H

#include <stdint.h>

#include "table/table.h"

/* What a request can use. */
struct assign_request {
	uint64_t can; /* bit n: counter n (a fixed counter: one bit) */
	/* One of these, and a counter that it serves; none: counters alone. */
	unsigned nneeds;
	const struct evneed *needs;
	/*
	 * Bit n: counter n must go to one of the requests that have this bit, and to no
	 * other. None: 0.
	 */
	uint64_t lead;
};

struct assign_result {
	unsigned pic;
	unsigned res; /* of its needs; 0 where there are none */
};

/*
 * Fills choice[i] and returns 0; the assignment is the first in lexicographic order of
 * (choice[0], choice[1], ...), by counter, then resource, so it is the same every time.
 * -1, EINVAL: there is none, and choice is untouched; *clash is then a set of requests
 * (bit i) that cannot be counted together, and could be without any one of them (where
 * there are leads, perhaps not). n is at most 64 (more: EINVAL, *clash 0). The search is
 * complete. Its time is polynomial where nothing is needed but counters (64 requests on
 * 64 counters take milliseconds at worst); else what is impossible for the counters, or
 * the resources, alone is seen at once.
 */
int assign_pics(const struct assign_request *ask, unsigned n,
		struct assign_result *choice, uint64_t *clash);

#endif
