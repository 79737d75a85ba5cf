/* Waits for points in time, until a signal ends the run. */
#ifndef CPUSTAT_DEADLINE_H
#define CPUSTAT_DEADLINE_H

#include <stdint.h>

/*
 * From now on SIGINT, SIGTERM, SIGQUIT and SIGHUP end the run; a second signal has its
 * default action.
 */
void deadline_init(void);

/* Wait until clock_ns() is ns. Returns 0 then, or -1 if a signal ends the run. */
int deadline_wait(int64_t ns);

/* Return the signal that ends the run, or 0. */
int deadline_signal(void);

#endif
