/* Set groups: the sets that the -c options of a command ask for, in their order. */
#ifndef SUITE_REQUEST_SETS_H
#define SUITE_REQUEST_SETS_H

#include <stddef.h>

#include <libcpc.h>
#include "suite/row/row.h"

struct sets_set {
	cpc_set_t *set;	     /* never bound itself: bind duplicates */
	struct row_set show; /* owned by the group */
};

struct sets {
	cpc_t *cpc;
	unsigned n;
	struct sets_set *set;
};

/* A group without sets; cpc must outlive it. NULL: ENOMEM. */
struct sets *sets_new(cpc_t *cpc);

/* With its sets. NULL is allowed. */
void sets_free(struct sets *g);

/*
 * Parse an event specification and add its set. 0, or -1: EINVAL (what is wrong is in
 * err, of size bytes, in one or more lines), ENOMEM, or what cpc_set_add_request() says
 * of an event that cannot be counted (err is then "": the session's error handler was
 * told).
 */
int sets_add(struct sets *g, const char *spec, char *err, size_t size);

#endif
