/*
 * A timer that interrupts a blocking system call between wake_unblock() and wake_block(), and
 * no other: what handlers write must not end with EINTR. A signal that comes just before
 * the call would be lost, therefore it goes on every millisecond until it is set anew.
 */
#ifndef PCTX_WAKE_H
#define PCTX_WAKE_H

#include <signal.h>
#include <stdint.h>
#include <time.h>

struct wake {
	volatile sig_atomic_t open;
	timer_t timer;
	struct sigaction before; /* of the signal that it uses, SIGRTMAX */
	int blocked;		 /* was it, before? */
};

/* For the calling thread, held. -1: EAGAIN, ENOMEM. */
int wake_open(struct wake *w);
void wake_close(struct wake *w);

/* Before the call that may be interrupted, and after it. errno is kept. */
void wake_unblock(void);
void wake_block(void);

/* Interrupt at that time, at once if it is over. Async-signal-safe. */
void wake_at(struct wake *w, int64_t ns);

#endif
