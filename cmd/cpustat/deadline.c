#include "deadline.h"

#include <errno.h>
#include <linux/futex.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "common/signals.h"

/* Not 0: the run is to end. A futex: what is set just before the wait is not missed. */
static uint32_t ended;
static volatile int64_t first;

/* A signal by itself: nothing is to be saved any more. */
static void give_up(int sig)
{
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
	__atomic_store_n(&ended, 1, __ATOMIC_RELAXED);
	errno = saved;
}

/* By default the kernel may be late by 50 us (PR_SET_TIMERSLACK). */
void deadline_init(void)
{
	prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
	signals_catch(on_signal);
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
