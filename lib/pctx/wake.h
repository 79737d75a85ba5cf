/*
 * A timer that interrupts a blocking system call (EINTR). Only calls between
 * wake_unblock() and wake_block() are interrupted, so that writes by handlers are not. A
 * signal that comes just before the call would be lost; therefore the timer repeats every
 * millisecond until wake_at() sets another time.
 */
#ifndef PCTX_WAKE_H
#define PCTX_WAKE_H

#include <signal.h>
#include <stdint.h>
#include <time.h>

struct wake {
	volatile sig_atomic_t open;
	timer_t timer;
	struct sigaction
		before; /* the caller's action of SIGRTMAX, which the timer uses */
	int blocked;	/* the caller had blocked SIGRTMAX */
};

/*
 * Creates a timer for the calling thread, with its signal blocked. Returns 0, or -1 with
 * EAGAIN or ENOMEM. wake_close() restores the caller's signal action and mask.
 */
int wake_open(struct wake *w);
void wake_close(struct wake *w);

/* To be called before and after a call that may be interrupted. Both keep errno. */
void wake_unblock(void);
void wake_block(void);

/*
 * Interrupts at this time (ns of CLOCK_MONOTONIC, not 0), at once if it has passed.
 * Async-signal-safe.
 */
void wake_at(struct wake *w, int64_t ns);

#endif
