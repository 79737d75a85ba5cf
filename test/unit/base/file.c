#include "base/file.h"

#include <errno.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static void test_read(void **state)
{
	char path[] = "/tmp/file-test.XXXXXX", buf[8];
	const int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(write(fd, "0123456789", 10), 10);
	close(fd);
	const ssize_t part = file_read(buf, sizeof buf, "%s", path);
	unlink(path);
	assert_int_equal(part, 7);
	assert_string_equal(buf, "0123456");
}

/* A failure leaves an empty string, in case the caller ignores the failure. */
static void test_failures(void **state)
{
	char buf[8] = "old", name[PATH_MAX + 1];

	(void)state;
	errno = 0;
	assert_int_equal(file_read(buf, sizeof buf, "/proc/self/%s", "no such file"), -1);
	assert_int_equal(errno, ENOENT);
	assert_string_equal(buf, "");
	memset(name, 'x', PATH_MAX);
	name[PATH_MAX] = '\0';
	assert_int_equal(file_read(buf, sizeof buf, "/%s", name), -1);
	assert_int_equal(errno, ENAMETOOLONG);
	strcpy(buf, "old");
	assert_int_equal(file_read(buf, sizeof buf, "/proc"), -1);
	assert_int_equal(errno, EISDIR);
	assert_string_equal(buf, "");
}

/* In a child process, since a hard limit may not be raised again. */
static void test_limit(void **state)
{
	const pid_t pid = fork();
	int st;

	(void)state;
	if (pid == 0) {
		struct rlimit lim = {.rlim_cur = 40, .rlim_max = 60};
		setrlimit(RLIMIT_NOFILE, &lim);
		int bad = file_raise_limit(0) != 0;
		getrlimit(RLIMIT_NOFILE, &lim);
		bad |= lim.rlim_cur != 60 || lim.rlim_max != 60;
		errno = 0;
		bad |= file_raise_limit(0) != -1 || errno != EMFILE;
		const rlim_t most = file_raise_limit(1) == 0 ? 120 : 60;
		getrlimit(RLIMIT_NOFILE, &lim);
		bad |= lim.rlim_cur != most || lim.rlim_max != most;
		_exit(bad);
	}
	assert_int_equal(waitpid(pid, &st, 0), pid);
	assert_true(WIFEXITED(st));
	assert_int_equal(WEXITSTATUS(st), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_read),
		cmocka_unit_test(test_failures),
		cmocka_unit_test(test_limit),
	};

	return cmocka_run_group_tests_name("file", tests, NULL, NULL);
}
