/* Waits for points in time, until a signal ends the run. */
#ifndef CPUSTAT_DEADLINE_H
#define CPUSTAT_DEADLINE_H

#include <stdint.h>

/*
 * From now on SIGINT, SIGTERM, SIGQUIT and SIGHUP end the run; a second signal has its
 * default action.
 */
void deadline_init(void);

/*
 * From now on call redraw with arg in deadline_wait() whenever the window of the terminal
 * has got another size (SIGWINCH).
 */
void deadline_on_resize(void (*redraw)(void *arg), void *arg);

/* Wait until clock_ns() is ns. Returns 0 then, or -1 if a signal ends the run. */
int deadline_wait(int64_t ns);

/* Return the signal that ends the run, or 0. */
int deadline_signal(void);

#endif
