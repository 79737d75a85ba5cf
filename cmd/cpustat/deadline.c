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
 * A signal sets this to 1 to end the run. It is a futex, so that a signal just before the
 * wait is not missed.
 */
static uint32_t ended;
static volatile int64_t first; /* time of the first signal, ns */
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
	__atomic_store_n(&ended, 1, __ATOMIC_RELAXED);
	errno = saved;
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

	while (!__atomic_load_n(&ended, __ATOMIC_RELAXED)) {
		/* The time is absolute (FUTEX_WAIT_BITSET in futex(2)). */
		if (syscall(SYS_futex, &ended, FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG, 0,
			    &at, NULL, FUTEX_BITSET_MATCH_ANY) == -1 &&
		    errno == ETIMEDOUT)
			return 0;
	}
	return -1;
}
