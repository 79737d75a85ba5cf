/* Signals to cputrack itself: they end the measurement and never lose it. */
#ifndef SIGNALS_H
#define SIGNALS_H

#include <libpctx.h>
#include <sys/types.h>

/*
 * program: the pid of a program that was started; what a terminal did not send it is
 * forwarded, and a second SIGINT stops the run. 0: the process was captured, and any such
 * signal stops the run. A signal that was ignored stays so.
 */
void signals_catch(pctx_t *pctx, pid_t program);
void signals_forget(void);

/* The signal that stopped the run, or 0. */
int signals_last(void);

#endif
