#include "pctx/wake.h"

#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"

/*
 * Pauses of a wait that polls; the first are short, since a new LWP waits for its tracer.
 */
enum { RETRY_NS = 1000000, FIRST_PAUSE_NS = 20000, LONGEST_PAUSE_NS = 1000000 };

static const int64_t ns_per_s = 1000000000;

/* Without a handler the signal would end the process; the call fails with EINTR. */
static void on_wake(int sig)
{
	(void)sig;
}

/* Returns whether the signal was blocked before. */
static int mask(int how)
{
	const int saved = errno;
	sigset_t set, old;

	sigemptyset(&set);
	sigaddset(&set, SIGRTMAX);
	pthread_sigmask(how, &set, &old);
	errno = saved;
	return sigismember(&old, SIGRTMAX);
}

/* Returns -1 with errno of timer_create(2) or sigaction(2). */
static int timer_open(struct wake *w)
{
	struct sigevent ev = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGRTMAX};
	struct sigaction sa = {.sa_handler = on_wake};

	ev._sigev_un._tid = gettid();
	sigemptyset(&sa.sa_mask);
	if (timer_create(CLOCK_MONOTONIC, &ev, &w->timer) == -1)
		return -1;
	if (sigaction(SIGRTMAX, &sa, &w->before) == -1) {
		timer_delete(w->timer);
		return -1;
	}
	w->blocked = mask(SIG_BLOCK);
	return 0;
}

void wake_open(struct wake *w)
{
	w->at = 0;
	w->pass = NULL;
	w->polls = timer_open(w) == -1;
	w->open = 1;
}

void wake_close(struct wake *w)
{
	w->open = 0;
	if (w->polls)
		return;
	timer_delete(w->timer);
	/*
	 * A pending signal is delivered here, to on_wake(), before the caller's action is
	 * back.
	 */
	mask(SIG_UNBLOCK);
	sigaction(SIGRTMAX, &w->before, NULL);
	if (w->blocked)
		mask(SIG_BLOCK);
}

/*
 * Returns whether the time of wake_at() has come; like the timer, every millisecond from
 * then on, until wake_at() sets another time.
 */
static int has_come(struct wake *w)
{
	const int64_t at = __atomic_load_n(&w->at, __ATOMIC_RELAXED), now = clock_ns();

	if (at == 0 || now < at)
		return 0;
	__atomic_store_n(&w->at, now + RETRY_NS, __ATOMIC_RELAXED);
	return 1;
}

/*
 * Returns the child or tracee that has something to report, which is collected only if
 * peek is NULL; 0 if none has and flags has WNOHANG.
 */
static pid_t wait_any(int *status, siginfo_t *peek, int flags)
{
	if (!peek)
		return waitpid(-1, status, __WALL | flags);
	peek->si_pid = 0;
	if (waitid(P_ALL, 0, peek, WEXITED | WSTOPPED | WNOWAIT | __WALL | flags) == -1)
		return -1;
	return peek->si_pid;
}

static pid_t poll_children(struct wake *w, int *status, siginfo_t *peek)
{
	struct timespec pause = {.tv_nsec = FIRST_PAUSE_NS};
	pid_t pid;

	while ((pid = wait_any(status, peek, WNOHANG)) == 0) {
		if (has_come(w)) {
			errno = EINTR;
			return -1;
		}
		if (nanosleep(&pause, NULL) == -1)
			return -1;
		if (pause.tv_nsec < LONGEST_PAUSE_NS)
			pause.tv_nsec *= 2;
	}
	return pid;
}

/* Returns the signal for whose delivery an LWP is in a stop, or 0. */
static int signal_of(const int *status, const siginfo_t *peek)
{
	int event, sig = 0;

	if (peek) {
		event = peek->si_status >> 8;
		sig = peek->si_code == CLD_TRAPPED ? peek->si_status & 0xff : 0;
	} else {
		event = *status >> 16;
		sig = WIFSTOPPED(*status) ? WSTOPSIG(*status) : 0;
	}
	return event ? 0 : sig;
}

/* The time of wake_at() may come while no call waits that the timer would interrupt. */
static int is_due(const struct wake *w)
{
	const int64_t at = __atomic_load_n(&w->at, __ATOMIC_RELAXED);

	return at && clock_ns() >= at;
}

static pid_t wait_until(struct wake *w, int *status, siginfo_t *peek)
{
	for (;;) {
		const pid_t pid = w->polls ? poll_children(w, status, peek)
					   : wait_any(status, peek, 0);
		const int sig = pid > 0 ? signal_of(status, peek) : 0;

		if (!sig || !w->pass || !w->pass(w->arg, pid, sig))
			return pid;
		if (is_due(w)) {
			errno = EINTR;
			return -1;
		}
	}
}

static pid_t wait_unblocked(struct wake *w, int *status, siginfo_t *peek)
{
	if (!w->polls)
		mask(SIG_UNBLOCK);
	const pid_t pid = wait_until(w, status, peek);
	if (!w->polls)
		mask(SIG_BLOCK);
	return pid;
}

pid_t wake_wait(struct wake *w, int *status)
{
	return wait_unblocked(w, status, NULL);
}

pid_t wake_peek(struct wake *w, siginfo_t *info)
{
	return wait_unblocked(w, NULL, info);
}

void wake_pass(struct wake *w, int (*pass)(void *arg, pid_t tid, int sig), void *arg)
{
	w->pass = pass;
	w->arg = arg;
}

void wake_at(struct wake *w, int64_t ns)
{
	__atomic_store_n(&w->at, ns, __ATOMIC_RELAXED);
	if (w->polls)
		return;
	const struct itimerspec its = {
		.it_value = {.tv_sec = ns / ns_per_s, .tv_nsec = ns % ns_per_s},
		.it_interval = {.tv_nsec = RETRY_NS},
	};

	timer_settime(w->timer, TIMER_ABSTIME, &its, NULL);
}
