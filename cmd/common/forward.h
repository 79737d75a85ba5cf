/* Signals to a command that controls a process: they are the process' first of all. */
#ifndef FORWARD_H
#define FORWARD_H

#include <sys/types.h>

#include <libpctx.h>

/*
 * program: the pid of a program that was started; what a terminal did not send it is
 * forwarded, and a second SIGINT stops the run. 0: the process was captured, and any such
 * signal stops the run.
 */
void forward_signals(pctx_t *pctx, pid_t program);

/* The run is over: nothing is stopped any more. */
void forward_end(void);

/* The signal that stopped the run, or 0. */
int forward_stopped(void);

#endif
