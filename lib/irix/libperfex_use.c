#include "irix/libperfex_use.h"

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <unistd.h>

#include "base/lock.h"
#include "irix/hwperf_children.h"
#include "irix/hwperf_share.h"

/* The state of the process. The lock of the library protects it. */
static struct {
	int generation;
	uint64_t losses; /* hwperf_share_losses() when generation was last brought up */
	int is_known;	 /* losses has been read */
} state = {.generation = 1};

static _Thread_local struct {
	pid_t owner;	 /* the process whose thread uses the counters; 0: none does */
	uint64_t losses; /* hwperf_share_losses() when the use began */
	int generation;	 /* of the process when the use began */
	int is_lost;	 /* the counters were lost since the use began */
} use;

/* A thread-specific key whose destructor ends the use of a thread that ends. */
static struct {
	pthread_once_t once;
	pthread_key_t key;
	int err;
} at_end = {.once = PTHREAD_ONCE_INIT};

static void thread_ends(void *unused)
{
	(void)unused;
	lock_hold();
	libperfex_use_end();
	lock_release();
}

static void prepare_end(void)
{
	at_end.err = pthread_key_create(&at_end.key, thread_ends);
}

static int prepare(void)
{
	int err = hwperf_children_prepare();

	pthread_once(&at_end.once, prepare_end);
	if (!err)
		err = at_end.err;
	if (!err)
		err = pthread_setspecific(at_end.key, &use);
	if (!err)
		return 0;
	errno = err;
	return -1;
}

/* A loss raises the generation once, whichever thread notices it first. */
static void notice_losses(void)
{
	const uint64_t losses = hwperf_share_losses();

	state.generation += state.is_known && state.losses != losses;
	state.losses = losses;
	state.is_known = 1;
}

int libperfex_use_begin(void)
{
	if (use.owner == getpid() && use.losses != hwperf_share_losses())
		libperfex_use_end();
	if (prepare() == -1 || (use.owner != getpid() && hwperf_share_user() == -1))
		return -1;
	notice_losses();
	use.owner = getpid();
	use.losses = state.losses;
	use.generation = state.generation;
	use.is_lost = 0;
	return state.generation;
}

int libperfex_use_end(void)
{
	if (use.owner == getpid()) {
		notice_losses();
		use.is_lost = use.losses != state.losses;
		use.owner = 0;
		hwperf_share_user_end();
	}
	return state.generation;
}

int libperfex_use_lose(void)
{
	libperfex_use_end();
	/* Another thread that lost the counters too may have raised the generation. */
	state.generation += !use.is_lost && use.generation == state.generation;
	use.is_lost = 1;
	return state.generation;
}

int libperfex_use_is_lost(void)
{
	return use.is_lost;
}
