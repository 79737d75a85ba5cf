/* Set groups: the sets that the -c options of a command ask for, in their order. */
#ifndef SETGRP_H
#define SETGRP_H

#include <stddef.h>

#include <libcpc.h>
#include "suite/row/row.h"

struct setgrp_set {
	cpc_set_t *set;	     /* never bound itself: bind duplicates */
	struct row_set show; /* owned by the group */
};

struct setgrp {
	cpc_t *cpc;
	unsigned n;
	struct setgrp_set *set;
};

/* A group without sets; cpc must outlive it. NULL: ENOMEM. */
struct setgrp *setgrp_new(cpc_t *cpc);

/* With its sets. NULL is allowed. */
void setgrp_free(struct setgrp *g);

/*
 * Parse an event specification and add its set. 0, or -1: EINVAL (what is wrong is in
 * err, of size bytes, in one or more lines), ENOMEM, or what cpc_set_add_request() says
 * of an event that cannot be counted (err is then "": the session's error handler was
 * told).
 */
int setgrp_add(struct setgrp *g, const char *spec, char *err, size_t size);

#endif
