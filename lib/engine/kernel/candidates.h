/*
 * Lists of candidates, [~][N*]EVENT[+EVENT...]|...: events of current machines that can
 * count an event of a table.
 */
#ifndef ENGINE_KERNEL_CANDIDATES_H
#define ENGINE_KERNEL_CANDIDATES_H

#include <stdint.h>

#include "engine/engine.h"
#include "engine/kernel/evsel.h"

enum { KERNEL_CANDIDATES_LEN = 512 };

struct kernel_candidate {
	int approximate;		      /* ~ */
	uint64_t factor;		      /* N, or 1 */
	unsigned n;			      /* terms */
	const char *term[KERNEL_EVSEL_TERMS]; /* in buf */
	char text[KERNEL_CANDIDATES_LEN];     /* the candidate as written */
	char buf[KERNEL_CANDIDATES_LEN];
};

/*
 * Read the first candidate of list. Returns 1 with the rest of the list (NULL at the
 * end), 0 if list is NULL or empty, -1 with EINVAL if the candidate is malformed: too
 * many terms, too long, no name, no factor.
 */
int kernel_candidates_next(const char *list, const char **rest,
			   struct kernel_candidate *c);

/*
 * Select the first candidate of a table's row that can be encoded and opened. Returns -1
 * with errno and *why: the reason why the first candidate that can be encoded does not
 * open.
 */
int kernel_candidates_select(const struct select_env *env,
			     const struct engine_request *req, struct evsel *s,
			     struct why *why);

#endif
