/* Waiting for points in time, until a signal ends the run. */
#ifndef CPUSTAT_DEADLINE_H
#define CPUSTAT_DEADLINE_H

#include <stdint.h>

/*
 * From now on SIGINT, SIGTERM, SIGQUIT and SIGHUP end the run; another one does what such a
 * signal does by itself.
 */
void deadline_init(void);

/*
 * Wait until then, ns of clock_ns(), however long a wait before took. 0: it is then, or
 * later; -1: the run is to end.
 */
int deadline_wait(int64_t ns);

#endif
