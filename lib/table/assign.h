/*
 * Counter assignment: each request gets a counter that can count it, and the resource
 * that it needs on that counter, none of which another request has.
 */
#ifndef TABLE_ASSIGN_H
#define TABLE_ASSIGN_H

#include <stdint.h>

#include "table/table.h"

struct assign_request {
	/*
	 * Bit n: counter n can count the request. A request of a fixed counter has one
	 * bit.
	 */
	uint64_t can;
	/* The request takes one of these resources; 0: it needs only a counter. */
	unsigned nneeds;
	const struct evneed *needs;
	/* Bit n: counter n must go to a request that has this bit, and to no other. */
	uint64_t must_use;
};

struct assign_result {
	unsigned pic;
	unsigned res; /* the resource taken; 0 if the request needs none */
};

/*
 * Assign a counter, and a resource where needed, to each of n requests; fills result[i].
 * The assignment is the first one in lexicographic order of (result[0], result[1], ...),
 * by counter, then by resource, so the same requests always get the same assignment.
 * Returns 0; or -1 with EINVAL if no assignment exists. Then result is not changed, and
 * *clash is a set of requests (bit i) that cannot be counted together but could be
 * without any one of them (with must_use, perhaps not). n is at most 64 (more: EINVAL,
 * *clash 0). The search is complete. It takes polynomial time if only counters are needed
 * (64 requests on 64 counters: milliseconds at worst); with resources, it ends at once if
 * the counters or the resources by themselves are not enough.
 */
int assign_pics(const struct assign_request *req, unsigned n,
		struct assign_result *result, uint64_t *clash);

#endif
