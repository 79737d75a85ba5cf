/*
 * The check of the rows: a software event is counted once more by an inherited counter on
 * the whole tree of processes. What it has more than the LWPs is told. One event will do:
 * an LWP that was missed is missing in all of them, and each costs some microseconds an
 * LWP.
 */
#ifndef CPUTRACK_CHECK_H
#define CPUTRACK_CHECK_H

#include <stdint.h>

#include <libcpc.h>
#include <libpctx.h>
#include "suite/request/sets.h"
#include "suite/row/row.h"

struct check {
	cpc_set_t *set; /* NULL: there is nothing to check */
	unsigned n;
	unsigned *index; /* of its requests in the set of the rows */
	uint64_t *sum;	 /* of the LWPs */
};

/*
 * Begin with the first LWP of a program that has not run yet; with the last software
 * event of the set, or with all. Where it cannot be had there is no check.
 */
void check_begin(struct check *c, cpc_t *cpc, pctx_t *pctx, id_t lwpid,
		 const struct sets_set *rows, int all);

/* An LWP has ended with these totals. */
void check_add(struct check *c, cpc_t *cpc, cpc_buf_t *total);

/* Something of the tree is not in the rows: forget the check. */
void check_drop(struct check *c, cpc_t *cpc);

/* Everything has ended: tell of remainders on stderr. */
void check_end(struct check *c, cpc_t *cpc, const struct row_set *show);

#endif
