#include "base/lock.h"

#include <pthread.h>

/*
 * Counts how often the calling LWP holds the lock. PTHREAD_MUTEX_RECURSIVE would not do:
 * such a mutex knows its LWP by the thread id, which differs in a child of fork(2).
 */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local volatile unsigned held __attribute__((tls_model("initial-exec")));

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int fork_error;

void lock_hold(void)
{
	if (held++ == 0)
		pthread_mutex_lock(&lock);
}

/*
 * held is 0 only when the mutex has been unlocked: otherwise a signal handler between
 * both steps would wait for its own LWP.
 */
void lock_release(void)
{
	if (held == 1)
		pthread_mutex_unlock(&lock);
	held--;
}

static void register_handlers(void)
{
	fork_error = pthread_atfork(lock_hold, lock_release, lock_release);
}

int lock_prepare(void)
{
	pthread_once(&once, register_handlers);
	return fork_error;
}
