/* The file of CPC_STRICT=1, and what this process publishes in it. */
#include "irix/hwperf_share.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "fake_root.h"

/* Greater than all ids of processes (PID_MAX_LIMIT of the kernel). */
enum { NOBODY = 0x7ffffff0 };

static char dir[sizeof "/tmp/opencpc-share.XXXXXX"];

static int pwrite_error; /* errno of pwrite(2); 0: it succeeds */

ssize_t __real_pwrite(int fd, const void *from, size_t n, off_t at);
ssize_t __wrap_pwrite(int fd, const void *from, size_t n, off_t at);

ssize_t __wrap_pwrite(int fd, const void *from, size_t n, off_t at)
{
	if (!pwrite_error)
		return __real_pwrite(fd, from, n, at);
	errno = pwrite_error;
	return -1;
}

static int be_strict(void **arg)
{
	(void)arg;
	strcpy(dir, "/tmp/opencpc-share.XXXXXX");
	assert_non_null(mkdtemp(dir));
	setenv("XDG_RUNTIME_DIR", dir, 1);
	return setenv("CPC_STRICT", "1", 1);
}

static int forget(void **arg)
{
	(void)arg;
	pwrite_error = 0;
	hwperf_share_forked();
	return fake_root_remove(dir);
}

static off_t size_of_file(void)
{
	char path[64];
	struct stat st;

	snprintf(path, sizeof path, "%s/opencpc.hwperf", dir);
	assert_int_equal(stat(path, &st), 0);
	return st.st_size;
}

static int is_published(pid_t pid, uint64_t born)
{
	struct hwperf_public p = {.pid = pid, .born = born};

	errno = 0;
	if (hwperf_share_find(&p) == 0)
		return 1;
	assert_int_equal(errno, EINVAL);
	return 0;
}

/* The entry of a process that has ended, or that was damaged, makes room for another. */
static void an_entry_of_an_ended_process_is_used_again(void **arg)
{
	static const struct {
		int line;
		pid_t pid;
		int generation;
	} ended[] = {
		{__LINE__, NOBODY, 1},
		{__LINE__, 1, 0},
		{__LINE__, 0, 1},
		{__LINE__, -1, 1},
	};

	(void)arg;
	for (size_t i = 0; i < sizeof ended / sizeof ended[0]; i++) {
		const struct hwperf_public old = {.pid = ended[i].pid,
						  .generation = ended[i].generation,
						  .born = i};
		const struct hwperf_public new = {
			.pid = getpid(), .generation = 1, .born = i + 100};

		hwperf_share_publish(&old);
		const off_t size = size_of_file();
		hwperf_share_publish(&new);
		if (size_of_file() != size || is_published(old.pid, old.born) ||
		    !is_published(new.pid, new.born))
			fail_msg("line %d: %jd bytes", ended[i].line,
				 (intmax_t)size_of_file());
	}
	/* the entries of this process were not used again */
	for (uint64_t i = 0; i < sizeof ended / sizeof ended[0]; i++)
		assert_true(is_published(getpid(), i + 100));
}

/* Runs in a child: returns the errno of a call there, or 0. */
static int error_in_child(int (*call)(void))
{
	int status = -1;

	fflush(stdout);
	const pid_t pid = fork();
	if (pid == 0)
		exit(call() == -1 ? errno : 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

/* As handlers of fork(2) do, the child forgets first what its parent uses. */
static int use_system_mode(void)
{
	hwperf_share_forked();
	return hwperf_share_system(0);
}

/* The locks belong to the process that has opened the file, which a child opens anew. */
static void a_child_has_locks_of_its_own(void **arg)
{
	(void)arg;
	assert_int_equal(hwperf_share_user(), 0);
	hwperf_share_user_end();
	assert_int_equal(error_in_child(hwperf_share_user), 0);
	assert_int_equal(error_in_child(use_system_mode), 0);
	assert_int_equal(hwperf_share_user(), 0);
	assert_int_equal(error_in_child(hwperf_share_user), 0);
	assert_int_equal(error_in_child(use_system_mode), EBUSY);
	hwperf_share_user_end();
	assert_int_equal(hwperf_share_system(0), 0);
	assert_int_equal(error_in_child(hwperf_share_user), EBUSY);
	assert_int_equal(error_in_child(use_system_mode), EBUSY);
	hwperf_share_system_end();
	assert_int_equal(error_in_child(use_system_mode), 0);
}

static void a_loss_that_cannot_be_written_acquires_nothing(void **arg)
{
	(void)arg;
	assert_int_equal(hwperf_share_user(), 0);
	pwrite_error = ENOSPC;
	assert_int_equal(hwperf_share_system(1), -1);
	assert_int_equal(errno, ENOSPC);
	pwrite_error = 0;
	assert_int_equal(hwperf_share_losses(), 0);
	hwperf_share_user_end();
	assert_int_equal(error_in_child(use_system_mode), 0);
	assert_int_equal(hwperf_share_system(1), 0);
	assert_int_equal(hwperf_share_losses(), 1);
	hwperf_share_system_end();
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, be_strict, forget)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(an_entry_of_an_ended_process_is_used_again),
		TEST(a_child_has_locks_of_its_own),
		TEST(a_loss_that_cannot_be_written_acquires_nothing),
	};

	return cmocka_run_group_tests_name("irix/hwperf_share", tests, NULL, NULL);
}
