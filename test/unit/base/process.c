#include "base/process.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* Returns a child that waits for a signal. */
static pid_t sleeper(void)
{
	const pid_t pid = fork();

	if (pid == 0)
		for (;;)
			pause();
	return pid;
}

/* Reaps a child and returns the signal that killed it, or 0. */
static int killed_by(pid_t pid)
{
	int st;

	if (waitpid(pid, &st, 0) != pid)
		return -1;
	return WIFSIGNALED(st) ? WTERMSIG(st) : 0;
}

static int end(pid_t pid)
{
	kill(pid, SIGKILL);
	return killed_by(pid);
}

static void check_life(int has_pidfd)
{
	struct process p;
	const pid_t pid = sleeper();

	assert_int_equal(process_open(&p, pid), 0);
	assert_int_equal(p.fd >= 0, has_pidfd);
	assert_int_equal(process_signal(&p, 0), 0);
	assert_int_equal(process_signal(&p, SIGTERM), 0);
	assert_int_equal(killed_by(pid), SIGTERM);
	errno = 0;
	assert_int_equal(process_signal(&p, SIGTERM), -1);
	assert_int_equal(errno, ESRCH);
	process_close(&p);
	assert_int_equal(process_signal(&p, SIGTERM), -1);
}

/* After the end, the number names another child. */
static void check_reuse(void)
{
	struct process p;
	const pid_t first = sleeper();

	assert_int_equal(process_open(&p, first), 0);
	assert_int_equal(end(first), SIGKILL);
	const pid_t second = sleeper();
	p.pid = second;
	if (p.fd == -1)
		p.born--;
	errno = 0;
	assert_int_equal(process_signal(&p, SIGTERM), -1);
	assert_int_equal(errno, ESRCH);
	assert_int_equal(end(second), SIGKILL);
	process_close(&p);
}

/* Only children and tracees are looked up: nobody else could reap them. */
static void check_strangers(void)
{
	const pid_t reaped = sleeper();
	const pid_t stranger[] = {getppid(), reaped, 0, -1};

	end(reaped);
	for (unsigned i = 0; i < sizeof stranger / sizeof stranger[0]; i++) {
		struct process p;

		errno = 0;
		assert_int_equal(process_open(&p, stranger[i]), -1);
		assert_int_equal(errno, ESRCH);
		assert_int_equal(process_signal(&p, 0), -1);
		process_close(&p);
	}
}

static void test_pidfd(void **state)
{
	const int fd = (int)syscall(SYS_pidfd_open, getpid(), 0);

	(void)state;
	if (fd == -1)
		skip();
	close(fd);
	check_life(1);
	check_reuse();
	check_strangers();
}

/* Makes one system call fail with ENOSYS in this process from now on. */
static int forbid(long nr)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)nr, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog filter = {sizeof code / sizeof code[0], code};

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0);
}

/* In a child process, since a filter cannot be removed. */
static void check_without(long nr)
{
	int st;

	fflush(stdout);
	const pid_t pid = fork();
	if (pid == 0) {
		if (forbid(nr))
			_exit(77);
		check_life(0);
		check_reuse();
		check_strangers();
		exit(0);
	}
	assert_int_equal(waitpid(pid, &st, 0), pid);
	assert_true(WIFEXITED(st));
	if (WEXITSTATUS(st) == 77)
		skip();
	assert_int_equal(WEXITSTATUS(st), 0);
}

static void test_no_pidfd(void **state)
{
	(void)state;
	check_without(SYS_pidfd_open);
}

static void test_no_signal_by_pidfd(void **state)
{
	(void)state;
	check_without(SYS_pidfd_send_signal);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pidfd),
		cmocka_unit_test(test_no_pidfd),
		cmocka_unit_test(test_no_signal_by_pidfd),
	};

	return cmocka_run_group_tests_name("process", tests, NULL, NULL);
}
