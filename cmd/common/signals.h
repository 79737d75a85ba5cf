/* Signals that end a measurement, which must not be lost. */
#ifndef COMMON_SIGNALS_H
#define COMMON_SIGNALS_H

#include <signal.h>
#include <stdint.h>
#include <sys/types.h>

#include <libpctx.h>

/*
 * Add SIGINT, SIGTERM, SIGQUIT and SIGHUP to a set, except those that are ignored: a signal that
 * was ignored when the command began stays ignored.
 */
void signals_wanted(sigset_t *set);

/*
 * From now on it is seen by writing, and by no signal, that a reader went away or that a
 * file may not grow any more (ulimit -f). A program that is started later inherits it.
 */
void signals_of_writing(void);

/*
 * The same, and let these signals be handled, but not those that were ignored when the
 * command began. System calls are restarted: a
 * row that is being written must not be lost.
 */
void signals_catch(void (*handler)(int sig, siginfo_t *info, void *context));

/*
 * Is this another signal than the first, whose time is kept in *first (0: none yet)? Then
 * what was still waited for is given up. Async-signal-safe.
 */
int signals_is_second(volatile int64_t *first);

/*
 * program: the pid of a program that was started; what a terminal did not send it is
 * forwarded, and a second SIGINT stops the run. 0: the process was captured, and any such
 * signal stops the run.
 */
void signals_forward(pctx_t *pctx, pid_t program);

/* The run is over: nothing is stopped any more. */
void signals_forward_end(void);

/* The signal that stopped the run, or 0. */
int signals_stopped(void);

#endif
