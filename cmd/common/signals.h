/* Signals that end a measurement without losing what was counted. */
#ifndef COMMON_SIGNALS_H
#define COMMON_SIGNALS_H

#include <signal.h>
#include <stdint.h>
#include <sys/types.h>

#include <libpctx.h>

/*
 * Add SIGINT, SIGTERM, SIGQUIT and SIGHUP to a set, except those that are ignored: a
 * signal that was ignored when the command began stays ignored.
 */
void signals_wanted(sigset_t *set);

/*
 * Install a handler for the signals of signals_wanted(). System calls are restarted, so a write of a row that the signal interrupts is completed.
 */
void signals_catch(void (*handler)(int sig, siginfo_t *info, void *context));

/*
 * Returns whether this signal is a second one, on which a command gives up waiting.
 * *first holds the time of the first signal, in ns of clock_ns(), or 0 before it.
 * Async-signal-safe.
 */
int signals_is_second(volatile int64_t *first);

/*
 * Catch signals while pctx runs. program is the pid of a program that the command
 * started: a signal that a process sent is forwarded to it, one that a terminal sent has
 * reached it already, and a second SIGINT stops the run. If program is 0, the process was
 * captured, and any signal stops the run.
 */
void signals_forward(pctx_t *pctx, pid_t program);

/* The run is over: signals no longer stop it. */
void signals_forward_end(void);

/* Returns the signal that stopped the run, or 0. */
int signals_stopped(void);

#endif
