/*
 * Children that a counted LWP creates by fork(2). Such a child is counted as the LWP is,
 * and its counts begin at 0. When the LWP has waited for the child, the counts of the
 * child are added to those of the LWP. irix/hwperf_programs.h counts children of other
 * calls. The callers hold the lock of the library (base/lock.h).
 */
#ifndef IRIX_HWPERF_CHILDREN_H
#define IRIX_HWPERF_CHILDREN_H

#include "irix/hwperf_table.h"

/* Count the children of fork(2) from now on. Returns 0, or an errno. */
int hwperf_children_prepare(void);

/*
 * Add the counts of the children that p has waited for, and of those that were marked by
 * PIOCSAVECCNTRS and have ended.
 */
void hwperf_children_settle(struct hwperf_process *p);

#endif
