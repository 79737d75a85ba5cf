/*
 * A wait for a child or tracee that ends at a time, or when a signal handler wants it to.
 *
 * A timer interrupts the blocking waitpid(2) by SIGRTMAX. The signal is unblocked only
 * there, so that writes by handlers are not interrupted. A signal that comes just before
 * the call would be lost; therefore the timer repeats every millisecond until wake_at()
 * sets another time. Where no timer is left (RLIMIT_SIGPENDING), the wait polls instead.
 */
#ifndef PCTX_WAKE_H
#define PCTX_WAKE_H

#include <signal.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

struct wake {
	volatile sig_atomic_t open;
	int polls; /* there is no timer; the next two members are not used */
	timer_t timer;
	struct sigaction
		before; /* the caller's action of SIGRTMAX, which the timer uses */
	int blocked;	/* the caller had blocked SIGRTMAX */
	int64_t at;	/* the time of wake_at(), or 0 */
	int (*pass)(void *arg, pid_t tid, int sig); /* of wake_pass(), or NULL */
	void *arg;
};

/*
 * Prepares waits by the calling thread, with SIGRTMAX blocked. wake_close() restores the
 * caller's action and mask of this signal.
 */
void wake_open(struct wake *w);
void wake_close(struct wake *w);

/*
 * Waits for any child or tracee, as waitpid(-1, status, __WALL). Returns -1 with EINTR
 * also when the time of wake_at() has come.
 */
pid_t wake_wait(struct wake *w, int *status);

/*
 * As wake_wait(), but the report is not collected: *info is what waitid(2) says of it.
 */
pid_t wake_peek(struct wake *w, siginfo_t *info);

/*
 * Let waits from now on call pass for each LWP that is in a stop for the delivery of a
 * signal. If pass resumes the LWP and returns 1, the wait goes on, which saves system
 * calls where signals are many; if pass returns 0, the wait reports the stop. SIGRTMAX is
 * not blocked while pass is called. wake_open() forgets pass.
 */
void wake_pass(struct wake *w, int (*pass)(void *arg, pid_t tid, int sig), void *arg);

/*
 * Ends waits at this time (ns of CLOCK_MONOTONIC, not 0), at once if it has passed.
 * Async-signal-safe.
 */
void wake_at(struct wake *w, int64_t ns);

#endif
