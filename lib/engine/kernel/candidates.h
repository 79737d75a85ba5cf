/*
 * Candidate lists: [~][N*]EVENT[+EVENT...]|..., what today's machines have for an event
 * of a table.
 */
#ifndef ENGINE_KERNEL_CANDIDATES_H
#define ENGINE_KERNEL_CANDIDATES_H

#include <stdint.h>

enum { KERNEL_MAP_TERMS = 4, KERNEL_MAP_LEN = 512 };

struct kernel_candidate {
	int approximate;		    /* ~ */
	uint64_t factor;		    /* N, or 1 */
	unsigned n;			    /* terms of the sum */
	const char *term[KERNEL_MAP_TERMS]; /* in buf */
	char text[KERNEL_MAP_LEN];	    /* the candidate as written */
	char buf[KERNEL_MAP_LEN];
};

/*
 * Take the first candidate of list into *c. Returns 1 with *rest at what follows it
 * (NULL at the end), 0 if list is empty, -1 with EINVAL if it is malformed (too many
 * terms, too long, no name, no factor).
 */
int kernel_candidates_next(const char *list, const char **rest,
			   struct kernel_candidate *c);

#endif
