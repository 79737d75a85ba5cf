/*
 * Children of counted processes: a child of fork(2) gets the set-up of its parent with
 * counts of 0, and its counts are added to those of the parent that waits for it.
 * Children of vfork(2), posix_spawn(3) and system(3) are not counted. The callers hold
 * the lock of the library (base/lock.h).
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

/* The counts of the present children of p go to nobody. */
void hwperf_children_disown(const struct hwperf_process *p);

#endif
