/* Counts by function of a run that was counted by instruction. */
#ifndef SUITE_WHERE_READ_H
#define SUITE_WHERE_READ_H

#include <libcpc.h>

#include "suite/where/counts.h"

/* Returns whether this program was built with the libraries that read symbols. */
int where_can_read(void);

/*
 * Returns what the functions of the last run of a session have counted of the requests of
 * sets, in this order, sorted; session_set_by_code() was called before the run. NULL with
 * ENOMEM; ENODATA: nothing was counted by instruction, or not all; ENOTSUP: symbols
 * cannot be read.
 */
struct where *where_read(cpc_t *cpc, unsigned nsets, cpc_set_t *const *sets,
			 unsigned nevents);

#endif
