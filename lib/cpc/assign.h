/* Assignment of the processor's counters to the requests of a set. */
#ifndef CPC_ASSIGN_H
#define CPC_ASSIGN_H

#include "cpc/cpc.h"

/*
 * Assign counters to the requests of a set, unless they have counters already. Returns -1
 * with EINVAL if the set is empty or its requests cannot be counted together; the reason
 * is then reported in the name of fn.
 */
int assign_counters(cpc_t *cpc, const char *fn, cpc_set_t *set);

#endif
