#include "irix/libperfex_use.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/lock.h"
#include "irix/hwperf_share.h"

static int locked(int (*call)(void))
{
	lock_prepare();
	lock_hold();
	const int rc = call();
	lock_release();
	return rc;
}

static int lose_to_system_mode(void)
{
	const int rc = hwperf_share_system(1);

	hwperf_share_system_end();
	return rc;
}

/* A thread that begins a use, and ends the use when other_ends() is called. */
struct other {
	pthread_barrier_t step;
	pthread_t thread;
	int (*end)(void);
	int begun, ended, is_lost;
};

static void *use_in_thread(void *arg)
{
	struct other *other = arg;

	other->begun = locked(libperfex_use_begin);
	pthread_barrier_wait(&other->step);
	pthread_barrier_wait(&other->step);
	other->ended = locked(other->end);
	other->is_lost = libperfex_use_is_lost();
	return NULL;
}

/* Returns when the thread has begun. */
static void other_begins(struct other *other, int (*end)(void))
{
	other->end = end;
	assert_int_equal(pthread_barrier_init(&other->step, NULL, 2), 0);
	assert_int_equal(pthread_create(&other->thread, NULL, use_in_thread, other), 0);
	pthread_barrier_wait(&other->step);
}

/* Returns when the thread has ended. */
static void other_ends(struct other *other)
{
	pthread_barrier_wait(&other->step);
	assert_int_equal(pthread_join(other->thread, NULL), 0);
	pthread_barrier_destroy(&other->step);
}

static void test_a_loss_raises_the_generation_once(void **arg)
{
	struct other late;

	(void)arg;
	const int begun = locked(libperfex_use_begin);
	assert_true(begun > 0);
	assert_int_equal(locked(lose_to_system_mode), 0);
	other_begins(&late, libperfex_use_end);
	assert_int_equal(locked(libperfex_use_end), begun + 1);
	assert_true(libperfex_use_is_lost());
	other_ends(&late);
	assert_int_equal(late.begun, begun + 1);
	assert_int_equal(late.ended, begun + 1);
	assert_false(late.is_lost);
}

/* Two threads that count at the same time lose the counters, for example to a CPU. */
static void test_another_loss_of_threads_is_counted_once(void **arg)
{
	struct other both;

	(void)arg;
	other_begins(&both, libperfex_use_lose);
	const int begun = locked(libperfex_use_begin);
	assert_int_equal(locked(libperfex_use_lose), begun + 1);
	other_ends(&both);
	assert_int_equal(both.begun, begun);
	assert_int_equal(both.ended, begun + 1);
	assert_true(both.is_lost);
	/* A loss after a new begin is another loss. */
	assert_int_equal(locked(libperfex_use_begin), begun + 1);
	assert_int_equal(locked(libperfex_use_lose), begun + 2);
}

static void test_another_loss_is_counted_once(void **arg)
{
	(void)arg;
	const int begun = locked(libperfex_use_begin);
	assert_int_equal(locked(libperfex_use_lose), begun + 1);
	assert_int_equal(locked(libperfex_use_lose), begun + 1);
	assert_true(libperfex_use_is_lost());
	assert_int_equal(locked(libperfex_use_begin), begun + 1);
	assert_false(libperfex_use_is_lost());
	assert_int_equal(locked(libperfex_use_end), begun + 1);
}

static int try_system_mode(void)
{
	const int rc = hwperf_share_system(0);

	if (rc == 0)
		hwperf_share_system_end();
	return rc;
}

static void *begin(void *arg)
{
	*(int *)arg = locked(libperfex_use_begin);
	return NULL;
}

static void test_a_thread_that_ends_ends_its_use(void **arg)
{
	pthread_t thread;
	int begun = -1;

	(void)arg;
	locked(libperfex_use_begin);
	assert_int_equal(locked(try_system_mode), -1);
	locked(libperfex_use_end);
	assert_int_equal(locked(try_system_mode), 0);
	assert_int_equal(pthread_create(&thread, NULL, begin, &begun), 0);
	assert_int_equal(pthread_join(thread, NULL), 0);
	assert_true(begun > 0);
	assert_int_equal(locked(try_system_mode), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_loss_raises_the_generation_once),
		cmocka_unit_test(test_another_loss_of_threads_is_counted_once),
		cmocka_unit_test(test_another_loss_is_counted_once),
		cmocka_unit_test(test_a_thread_that_ends_ends_its_use),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
