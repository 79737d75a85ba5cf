/*
 * The end of counting. The callers hold the lock of the library (base/lock.h).
 */
#ifndef IRIX_HWPERF_END_H
#define IRIX_HWPERF_END_H

#include "irix/hwperf_table.h"

/* Close the counters of a process, whose counts have been read. */
void hwperf_end_use(struct hwperf_process *p);

/*
 * Stop counting a process, if it is counted; the counts so far stay. Sets p->incomplete
 * if the counters cannot be read.
 */
void hwperf_end_count(struct hwperf_process *p);

/*
 * Free the blocks of the processes that have been reaped and of the LWPs that have ended,
 * unless an heir gets their counts, or this process has a handle and may read them. If
 * stops is not 0, the processes and LWPs that it may read, and all that they have
 * started, are not counted from now on.
 */
void hwperf_end_reaped(int stops);

#endif
