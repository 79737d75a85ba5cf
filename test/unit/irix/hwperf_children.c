/*
 * Children of fork(2), and the programs that they execute, when calls of the engine or of
 * the C library fail in the parent or in the child.
 */
#include "irix/hwperf_children.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "irix/fake_counters.h"

/* Calls of the C library that fail with this errno; 0: they do not. */
static int socketpair_error, setsockopt_error;

int __real_socketpair(int domain, int type, int protocol, int end[2]);
int __wrap_socketpair(int domain, int type, int protocol, int end[2]);
int __real_setsockopt(int fd, int level, int name, const void *value, socklen_t size);
int __wrap_setsockopt(int fd, int level, int name, const void *value, socklen_t size);

int __wrap_socketpair(int domain, int type, int protocol, int end[2])
{
	if (!socketpair_error)
		return __real_socketpair(domain, type, protocol, end);
	errno = socketpair_error;
	return -1;
}

int __wrap_setsockopt(int fd, int level, int name, const void *value, socklen_t size)
{
	if (!setsockopt_error)
		return __real_setsockopt(fd, level, name, value, size);
	errno = setsockopt_error;
	return -1;
}

static int own, generation;

static int start(void **arg)
{
	(void)arg;
	faked_reset();
	own = faked_open(getpid());
	generation = faked_start(own);
	return 0;
}

/* The counters of the parent and of all children have been closed. */
static int release(void **arg)
{
	(void)arg;
	socketpair_error = setsockopt_error = 0;
	faked_reset();
	const int rc = hwperf_ioctl(own, PIOCRELEVCTRS);
	close(own);
	return rc == -1 || fake.groups || fake.evsels;
}

/* In the child: the handle that it has inherited is of its parent. */
static int is_counted(int wanted_generation, int class, int ngroups)
{
	const int self = hwperf_open(getpid());
	const hwperf_value_t v = faked_value(self);

	return faked_generation(self) == wanted_generation &&
	       v.hwv_value == (class == CPC_EXACT ? 10 : 0) && v.hwv_class == class &&
	       fake.groups == ngroups;
}

static int counts_itself(void)
{
	return is_counted(generation, CPC_EXACT, 2) ? 0 : 1;
}

static void a_child_counts_as_its_parent(void **arg)
{
	(void)arg;
	const struct faked_child child = faked_fork(counts_itself);

	assert_int_equal(fake.groups, 4);
	assert_int_equal(faked_wait(&child), 0);
	faked_check(own, 20, CPC_EXACT);
	assert_int_equal(fake.groups, 2);
}

static int lost_its_counters(void)
{
	return is_counted(generation + 1, CPC_UNAVAILABLE, 0) ? 0 : 1;
}

static void a_child_that_cannot_be_counted_has_another_generation(void **arg)
{
	(void)arg;
	faked.bind = (struct faked_calls){
		.which = UINT64_MAX, .error = ENOSPC, .except_in = getpid()};
	const struct faked_child child = faked_fork(lost_its_counters);
	assert_int_equal(faked_wait(&child), 0);
	/* the parent has counted the child by counters of its own */
	faked_check(own, 20, CPC_EXACT);
}

/* Counters of the programs of a child are opened first, and then those of the child. */
static void a_child_that_its_parent_cannot_count_is_missing(void **arg)
{
	(void)arg;
	for (unsigned n = 0; n < 2; n++) {
		faked_start(own);
		faked.bind =
			(struct faked_calls){.which = UINT64_C(1) << n, .error = ENOSPC};
		const struct faked_child child = faked_fork(NULL);
		assert_int_equal(faked.bind.which, 0);
		assert_int_equal(fake.groups, 2);
		faked_check(own, 10, CPC_UNAVAILABLE);
		assert_int_equal(faked_wait(&child), 0);
		faked_check(own, 10, CPC_UNAVAILABLE);
		/* the next start begins without this */
		faked_start(own);
		faked_check(own, 10, CPC_EXACT);
	}
}

static void without_sockets_a_child_is_missing(void **arg)
{
	int *const error[] = {&socketpair_error, &setsockopt_error};
	const int unused = dup(STDOUT_FILENO);

	(void)arg;
	close(unused);
	for (unsigned i = 0; i < 2; i++) {
		generation = faked_start(own);
		*error[i] = EMFILE;
		const struct faked_child child = faked_fork(counts_itself);
		*error[i] = 0;
		assert_int_equal(faked_wait(&child), 0);
		faked_check(own, 10, CPC_UNAVAILABLE);
		/* no socket is left open */
		const int next = dup(STDOUT_FILENO);
		assert_int_equal(next, unused);
		close(next);
	}
}

/*
 * The parent reads its own counters, those of the child, and those of the child's
 * programs.
 */
static void a_child_whose_counters_cannot_be_read_is_missing(void **arg)
{
	(void)arg;
	for (unsigned n = 1; n < 3; n++) {
		faked_start(own);
		const struct faked_child child = faked_fork(NULL);
		assert_int_equal(faked_wait(&child), 0);
		faked.read =
			(struct faked_calls){.which = UINT64_C(1) << n, .error = EIO};
		faked_check(own, n == 1 ? 10 : 20, CPC_UNAVAILABLE);
		assert_int_equal(faked.read.which, 0);
		assert_int_equal(fake.groups, 2);
	}
}

/*
 * The programs of a child count when their parent has waited for the child. Before, they
 * are a difference, which is an estimate while the child lives.
 */
static void programs_of_a_child_that_lives_make_an_estimate(void **arg)
{
	(void)arg;
	const struct faked_child child = faked_fork(NULL);

	faked.programs = (struct count){.count = 7, .enabled = 8, .running = 8};
	faked_check(own, 10, CPC_ESTIMATED);
	assert_int_equal(faked_wait(&child), 0);
	faked_check(own, 20, CPC_EXACT);
	faked.programs.count = 0;
}

static int other;

static int has_forgotten_other(void)
{
	return faked_generation(other) == -1 && errno == EINVAL &&
			       is_counted(generation, CPC_EXACT, 2)
		       ? 0
		       : 1;
}

static void a_child_forgets_the_other_processes_of_its_parent(void **arg)
{
	(void)arg;
	const struct faked_child first = faked_fork(NULL);
	other = hwperf_open(first.pid);
	assert_int_equal(faked_generation(other), generation);
	const struct faked_child second = faked_fork(has_forgotten_other);
	assert_int_equal(faked_generation(other), generation);
	assert_int_equal(faked_wait(&second), 0);
	assert_int_equal(faked_wait(&first), 0);
	close(other);
	faked_check(own, 30, CPC_EXACT);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, start, release)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_child_counts_as_its_parent),
		TEST(a_child_that_cannot_be_counted_has_another_generation),
		TEST(a_child_that_its_parent_cannot_count_is_missing),
		TEST(without_sockets_a_child_is_missing),
		TEST(a_child_whose_counters_cannot_be_read_is_missing),
		TEST(programs_of_a_child_that_lives_make_an_estimate),
		TEST(a_child_forgets_the_other_processes_of_its_parent),
	};

	return cmocka_run_group_tests_name("irix/hwperf_children", tests, NULL, NULL);
}
