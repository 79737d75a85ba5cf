#include "pctx/wake.h"

#include <errno.h>
#include <unistd.h>

#include "base/clock.h"

enum { RETRY_NS = 1000000 };

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

void wake_unblock(void)
{
	mask(SIG_UNBLOCK);
}

void wake_block(void)
{
	mask(SIG_BLOCK);
}

int wake_open(struct wake *w)
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
	w->open = 1;
	return 0;
}

void wake_close(struct wake *w)
{
	w->open = 0;
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

void wake_at(struct wake *w, int64_t ns)
{
	const struct itimerspec its = {
		.it_value = {.tv_sec = ns / ns_per_s, .tv_nsec = ns % ns_per_s},
		.it_interval = {.tv_nsec = RETRY_NS},
	};

	timer_settime(w->timer, TIMER_ABSTIME, &its, NULL);
}
