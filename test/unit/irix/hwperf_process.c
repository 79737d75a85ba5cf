/*
 * Starts, modifications, reads and saves of processes in user mode, when calls of the
 * engine or of the C library fail. With the argument "wait" this program waits for the
 * end of its input: the tests execute it as a child.
 */
#include "irix/hwperf_process.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <spawn.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "fake_root.h"
#include "irix/fake_counters.h"

/* The call of pthread_atfork() that fails, from 1; 0: none. */
static int failing_atfork;

int __real_pthread_atfork(void (*prepare)(void), void (*parent)(void),
			  void (*child)(void));
int __wrap_pthread_atfork(void (*prepare)(void), void (*parent)(void),
			  void (*child)(void));

int __wrap_pthread_atfork(void (*prepare)(void), void (*parent)(void),
			  void (*child)(void))
{
	if (failing_atfork && --failing_atfork == 0)
		return ENOMEM;
	return __real_pthread_atfork(prepare, parent, child);
}

/* The handle of this process. */
static int own;

static int reset(void **arg)
{
	(void)arg;
	faked_reset();
	own = faked_open(getpid());
	return 0;
}

/* Nothing may be left open but the block of this process. */
static int release(void **arg)
{
	(void)arg;
	faked_reset();
	hwperf_ioctl(own, PIOCRELEVCTRS);
	close(own);
	return fake.groups || fake.evsels;
}

static int starts_without_handlers(void)
{
	static hwperf_profevctrarg_t args;
	hwperf_cntr_t counters;

	failing_atfork = 2;
	errno = 0;
	const int handle = hwperf_open(getpid());
	return handle == -1 || hwperf_ioctl(handle, PIOCENEVCTRS, &args) != -1 ||
	       errno != ENOMEM || faked_generation(handle) != -1 ||
	       syssgi(SGI_EVENTCTR, HWPERF_GET_SYSCNTRS, &counters) != -1 ||
	       errno != ENOMEM;
}

/* The first test: handlers are registered once. */
static void without_handlers_of_fork_nothing_starts(void **arg)
{
	const struct faked_child child = faked_fork(starts_without_handlers);

	(void)arg;
	assert_int_equal(faked_wait(&child), 0);
}

static void before_a_start_there_is_nothing_to_read(void **arg)
{
	(void)arg;
	errno = 0;
	assert_int_equal(faked_generation(own), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(faked_value(own).hwv_class, -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(faked_value(-1).hwv_class, -1);
	assert_int_equal(errno, EBADF);
	assert_int_equal(faked_generation(-1), -1);
	assert_int_equal(errno, EBADF);
}

/* Linux before 5.13 refuses events that new threads inherit, but not their programs. */
static void threads_are_counted_if_the_kernel_can(void **arg)
{
	(void)arg;
	faked_start(own);
	assert_int_equal(faked.threads, 1);
	faked_check(own, 10, CPC_EXACT);
	faked.no_threads = 1;
	faked_start(own);
	assert_int_equal(faked.threads, 0);
	assert_int_equal(fake.groups, 2);
	faked_check(own, 10, CPC_EXACT);
}

static int modify(void)
{
	errno = 0;
	return hwperf_ioctl(own, PIOCSETEVCTRL, faked_args(HWPERF_CNTEN_U));
}

static void a_read_that_fails_makes_later_values_unavailable(void **arg)
{
	(void)arg;
	const int generation = faked_start(own);
	faked.read = (struct faked_calls){.which = 1, .error = EIO};
	assert_int_equal(modify(), generation + 1);
	faked_check(own, 10, CPC_UNAVAILABLE);
	faked_start(own);
	faked_check(own, 10, CPC_EXACT);
	faked.read.which = 1;
	assert_int_equal(hwperf_ioctl(own, PIOCRELEVCTRS), 0);
	faked_check(own, 0, CPC_UNAVAILABLE);
}

static void a_failing_modification_leaves_the_former_events(void **arg)
{
	(void)arg;
	const int generation = faked_start(own);
	faked.bind = (struct faked_calls){.which = 1, .error = ENOSPC};
	assert_int_equal(modify(), -1);
	assert_int_equal(errno, ENOSPC);
	assert_int_equal(faked_generation(own), generation);
	assert_int_equal(fake.groups, 2);
	/* the counts before the modification and after it */
	faked_check(own, 20, CPC_EXACT);
}

static void counters_that_cannot_be_opened_again_are_lost(void **arg)
{
	(void)arg;
	const int generation = faked_start(own);
	faked.bind = (struct faked_calls){.which = 3, .error = ENOSPC};
	assert_int_equal(modify(), -1);
	assert_int_equal(errno, ENOSPC);
	assert_int_equal(fake.groups, 0);
	assert_int_equal(faked_generation(own), generation + 1);
	faked_check(own, 10, CPC_EXACT);
	assert_int_equal(modify(), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(hwperf_ioctl(own, PIOCRELEVCTRS), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(faked_start(own), generation + 2);
}

static int save(int handle)
{
	errno = 0;
	return hwperf_ioctl(handle, PIOCSAVECCNTRS);
}

/* A start forgets the children until then; a child that was saved counts all the same. */
static void a_saved_child_counts_after_another_start(void **arg)
{
	(void)arg;
	for (int saves = 0; saves < 2; saves++) {
		faked_start(own);
		const struct faked_child child = faked_fork(NULL);
		const int handle = hwperf_open(child.pid);
		faked_start(own);
		assert_int_equal(saves ? save(handle) : 0, 0);
		faked_check(own, 10, CPC_EXACT);
		assert_int_equal(faked_wait(&child), 0);
		faked_check(own, saves ? 20 : 10, CPC_EXACT);
		close(handle);
	}
}

/* The pipe by which a child tells the id of its own child. */
static int told[2];

static int have_child(void)
{
	const struct faked_child child = faked_fork(NULL);

	return write(told[1], &child, sizeof child) == sizeof child ? -1 : 1;
}

static void only_children_can_be_saved(void **arg)
{
	struct faked_child grandchild;

	(void)arg;
	assert_int_equal(pipe2(told, O_CLOEXEC), 0);
	const struct faked_child child = faked_fork(have_child);
	assert_int_equal(read(told[0], &grandchild, sizeof grandchild),
			 sizeof grandchild);
	const int handle = faked_open(grandchild.pid);
	faked_start(handle);
	assert_int_equal(save(handle), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(hwperf_ioctl(handle, PIOCRELEVCTRS), 0);
	/* a child that was never counted */
	const int uncounted = hwperf_open(child.pid);
	assert_int_equal(save(uncounted), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(save(own), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(save(-1), -1);
	assert_int_equal(errno, EBADF);
	assert_int_equal(faked_wait(&child), 0);
	/* it has gone now */
	assert_int_equal(save(uncounted), -1);
	assert_int_equal(errno, ESRCH);
	close(uncounted);
	close(handle);
	close(told[0]);
	close(told[1]);
}

/* Executes this program as a child that waits. */
static struct faked_child spawn(void)
{
	char *const argv[] = {(char *)"self", (char *)"wait", NULL};
	posix_spawn_file_actions_t actions;
	struct faked_child child;
	int end[2];

	assert_int_equal(pipe2(end, O_CLOEXEC), 0);
	assert_int_equal(posix_spawn_file_actions_init(&actions), 0);
	assert_int_equal(posix_spawn_file_actions_adddup2(&actions, end[0], 0), 0);
	assert_int_equal(
		posix_spawn(&child.pid, "/proc/self/exe", &actions, NULL, argv, environ),
		0);
	posix_spawn_file_actions_destroy(&actions);
	close(end[0]);
	child.gate = end[1];
	return child;
}

/* The counts of programs of children are those of their parent already. */
static void a_child_that_executes_a_program_needs_no_save(void **arg)
{
	(void)arg;
	for (int counts = 0; counts < 2; counts++) {
		if (counts)
			faked_start(own);
		const struct faked_child child = spawn();
		const int handle = hwperf_open(child.pid);
		assert_int_equal(save(handle), counts ? 0 : -1);
		assert_true(counts || errno == EINVAL);
		assert_int_equal(faked_wait(&child), 0);
		close(handle);
	}
}

/*
 * CPC_STRICT=1: a process that starts, reads, and loses its counters, each when this
 * process asks it by a byte; it answers with its generation.
 */
static int asked[2];

static void answer(int generation)
{
	char byte;

	if (write(told[1], &generation, sizeof generation) != sizeof generation ||
	    read(asked[0], &byte, 1) != 1)
		exit(1);
}

static int count_in_public(void)
{
	own = faked_open(getpid());
	answer(faked_start(own));
	faked_value(own);
	answer(faked_generation(own));
	faked.bind = (struct faked_calls){.which = 3, .error = ENOSPC};
	modify();
	answer(faked_generation(own));
	return 0;
}

static int next_answer(int asks)
{
	int generation = -1;

	if (asks)
		assert_int_equal(write(asked[1], "", 1), 1);
	assert_int_equal(read(told[0], &generation, sizeof generation),
			 sizeof generation);
	return generation;
}

static void check_public(int handle, int generation, uint64_t value)
{
	assert_int_equal(faked_generation(handle), generation);
	faked_check(handle, value, CPC_ESTIMATED);
}

static void another_process_can_be_read(void **arg)
{
	char dir[] = "/tmp/opencpc-hwperf.XXXXXX";

	(void)arg;
	assert_non_null(mkdtemp(dir));
	setenv("XDG_RUNTIME_DIR", dir, 1);
	setenv("CPC_STRICT", "1", 1);
	assert_int_equal(pipe2(told, O_CLOEXEC), 0);
	assert_int_equal(pipe2(asked, O_CLOEXEC), 0);
	const struct faked_child child = faked_fork(count_in_public);
	const int handle = hwperf_open(child.pid);

	/* before its first read the process has published no counts */
	check_public(handle, next_answer(0), 0);
	check_public(handle, next_answer(1), 10);
	/* it has lost its counters, so that its generation has risen */
	check_public(handle, next_answer(1), 10);
	assert_int_equal(write(asked[1], "", 1), 1);
	assert_int_equal(faked_wait(&child), 0);
	for (int i = 0; i < 2; i++) {
		close(told[i]);
		close(asked[i]);
	}
	close(handle);
	unsetenv("CPC_STRICT");
	unsetenv("XDG_RUNTIME_DIR");
	assert_int_equal(fake_root_remove(dir), 0);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, reset, release)

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_handlers_of_fork_nothing_starts),
		TEST(before_a_start_there_is_nothing_to_read),
		TEST(threads_are_counted_if_the_kernel_can),
		TEST(a_read_that_fails_makes_later_values_unavailable),
		TEST(a_failing_modification_leaves_the_former_events),
		TEST(counters_that_cannot_be_opened_again_are_lost),
		TEST(a_saved_child_counts_after_another_start),
		TEST(only_children_can_be_saved),
		TEST(a_child_that_executes_a_program_needs_no_save),
		TEST(another_process_can_be_read),
	};
	char byte;

	if (argc > 1 && strcmp(argv[1], "wait") == 0) {
		alarm(60);
		return (int)read(STDIN_FILENO, &byte, 1);
	}
	return cmocka_run_group_tests_name("irix/hwperf_process", tests, NULL, NULL);
}
