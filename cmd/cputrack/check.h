/*
 * A check that no LWP was missed: an inherited counter counts software events of the
 * whole tree of processes, and what it counts more than the rows show is reported. A
 * missed LWP is missing in every event, so one event is enough; each event costs some
 * microseconds for each LWP.
 */
#ifndef CPUTRACK_CHECK_H
#define CPUTRACK_CHECK_H

#include <stdint.h>

#include <libcpc.h>
#include <libpctx.h>
#include "suite/request/sets.h"
#include "suite/row/row.h"

struct check {
	cpc_set_t *set;	 /* bound to the whole tree; NULL: there is no check */
	unsigned n;	 /* requests in set */
	unsigned *index; /* of each request in the set of the rows */
	uint64_t *sum;	 /* of each request over the LWPs that have ended */
};

/*
 * Starts the check on the first LWP of a program that has not run yet, with the last
 * software event of the set, or with all of them. Without a software event, or on
 * failure, there is no check.
 */
void check_start(struct check *c, cpc_t *cpc, pctx_t *pctx, id_t lwpid,
		 const struct sets_member *rows, int all);

/* Adds the totals of an LWP that has ended. */
void check_add(struct check *c, cpc_t *cpc, cpc_buf_t *total);

/* Ends the check without a report, because some process is not followed. */
void check_cancel(struct check *c, cpc_t *cpc);

/* When all processes have ended: reports differences on stderr and ends the check. */
void check_end(struct check *c, cpc_t *cpc, const struct row_set *show);

#endif
