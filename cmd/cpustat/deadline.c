#include "deadline.h"

#include <errno.h>
#include <linux/futex.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "common/signals.h"
#include "common/write.h"

/*
 * Each signal changes this number. It is a futex, so that a signal just before the wait
 * is not missed.
 */
static uint32_t signals;
static volatile sig_atomic_t ended;   /* a signal has ended the run */
static volatile sig_atomic_t resized; /* the window has another size */
static volatile int64_t first;	      /* time of the first signal, ns */
static volatile sig_atomic_t ending_signal;

/* Give up the output; if none waits, end by the signal's default action. */
static void give_up(int sig)
{
	write_give_up(0);
	signal(sig, SIG_DFL);
	raise(sig);
}

static void on_signal(int sig, siginfo_t *info, void *context)
{
	const int saved = errno;

	(void)info;
	(void)context;
	if (signals_is_second(&first))
		give_up(sig);
	ending_signal = sig;
	ended = 1;
	__atomic_fetch_add(&signals, 1, __ATOMIC_RELAXED);
	errno = saved;
}

/* The function that draws on a terminal again; call is NULL if there is none. */
static struct {
	void (*call)(void *arg);
	void *arg;
} redraw;

static void on_resize(int sig)
{
	(void)sig;
	resized = 1;
	__atomic_fetch_add(&signals, 1, __ATOMIC_RELAXED);
}

void deadline_on_resize(void (*call)(void *arg), void *arg)
{
	const struct sigaction sa = {.sa_handler = on_resize, .sa_flags = SA_RESTART};

	redraw.call = call;
	redraw.arg = arg;
	sigaction(SIGWINCH, &sa, NULL);
}

/* By default, the kernel may end a wait 50 us late (PR_SET_TIMERSLACK in prctl(2)). */
void deadline_init(void)
{
	prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
	signals_catch(on_signal);
}

int deadline_signal(void)
{
	return ending_signal;
}

int deadline_wait(int64_t ns)
{
	const int64_t s = 1000000000;
	const struct timespec at = {ns / s, ns % s};

	while (!ended) {
		const uint32_t seen = __atomic_load_n(&signals, __ATOMIC_RELAXED);

		if (resized) {
			resized = 0;
			redraw.call(redraw.arg);
		}
		if (ended)
			break;
		/* The time is absolute (FUTEX_WAIT_BITSET in futex(2)). */
		if (syscall(SYS_futex, &signals, FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG,
			    seen, &at, NULL, FUTEX_BITSET_MATCH_ANY) == -1 &&
		    errno == ETIMEDOUT)
			return 0;
	}
	return -1;
}
