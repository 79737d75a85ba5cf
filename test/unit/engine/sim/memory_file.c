/* Files in memory that are larger than the limit of this process. */
#include "engine/sim/memory_file.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

enum { LIMIT = 1 << 16 };

static struct rlimit before;

static int set_limit(void **arg)
{
	struct rlimit limit;

	(void)arg;
	if (getrlimit(RLIMIT_FSIZE, &before) == -1)
		return -1;
	limit = before;
	limit.rlim_cur = LIMIT;
	return setrlimit(RLIMIT_FSIZE, &limit);
}

static int restore_limit(void **arg)
{
	(void)arg;
	return setrlimit(RLIMIT_FSIZE, &before);
}

static int is_pending(void)
{
	sigset_t pending;

	assert_int_equal(sigpending(&pending), 0);
	return sigismember(&pending, SIGXFSZ);
}

static void make_too_large(void)
{
	errno = 0;
	assert_int_equal(memory_file("large", LIMIT + 1), -1);
	assert_int_equal(errno, EFBIG);
}

static void a_file_above_the_limit_is_an_error_without_signal(void **arg)
{
	(void)arg;
	const int fd = memory_file("small", LIMIT);
	assert_int_not_equal(fd, -1);
	assert_int_equal(close(fd), 0);
	/* the default action of SIGXFSZ would end this process */
	make_too_large();
	assert_false(is_pending());
}

/* A signal that another caller has caused and blocked stays. */
static void a_pending_signal_stays(void **arg)
{
	const struct timespec now = {0};
	sigset_t set;

	(void)arg;
	sigemptyset(&set);
	sigaddset(&set, SIGXFSZ);
	assert_int_equal(pthread_sigmask(SIG_BLOCK, &set, NULL), 0);
	make_too_large();
	assert_false(is_pending());
	assert_int_equal(raise(SIGXFSZ), 0);
	make_too_large();
	assert_true(is_pending());
	assert_int_equal(sigtimedwait(&set, NULL, &now), SIGXFSZ);
	assert_int_equal(pthread_sigmask(SIG_UNBLOCK, &set, NULL), 0);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_limit, restore_limit)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_file_above_the_limit_is_an_error_without_signal),
		TEST(a_pending_signal_stays),
	};

	return cmocka_run_group_tests_name("engine/sim/memory_file", tests, NULL, NULL);
}
