/* Signals that end a measurement, which must not be lost. */
#ifndef SIGNALS_H
#define SIGNALS_H

#include <signal.h>
#include <stdint.h>

/* SIGINT, SIGTERM, SIGQUIT, SIGHUP. */
enum { SIGNALS_END = 4 };
extern const int signals_end[SIGNALS_END];

/*
 * Let these signals be handled, but not those that were ignored when the command began, and
 * ignore SIGPIPE: that a reader went away is seen by writing. System calls are restarted: a
 * row that is being written must not be lost.
 */
void signals_catch(void (*handler)(int sig, siginfo_t *info, void *context));

/*
 * Is this another signal than the first, whose time is kept in *first (0: none yet)? Then
 * what was still waited for is given up. Async-signal-safe.
 */
int signals_is_second(volatile int64_t *first);

#endif
