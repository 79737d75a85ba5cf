/* Children that share this process' memory, or not, execute what execvp(3) executes. */
#include "base/launch.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define LEN(a) (sizeof(a) / sizeof(*(a)))

#define LONG_NAME                                                            \
	"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" \
	"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" \
	"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" \
	"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"

static const struct {
	const char *name, *text;
	mode_t mode;
} files[] = {
	{"four", "#!/bin/sh\nexit 4\n", 0755},
	{"text", "exit $#\n", 0755},
	{"plain", "exit 1\n", 0644},
	{"lost", "#! /no/such/sh -e\n", 0755},
	{"second/plain", "#!/bin/sh\nexit 5\n", 0755},
	{"second/lost", "#!/bin/sh\nexit 6\n", 0755},
};

/* PATH, in which "." is the folder of the files, or NULL; a command; its status. */
static const struct {
	int line;
	const char *dirs;
	char *argv[5];
	int status;
} cases[] = {
	{__LINE__, "/usr/bin:/bin", {"sh", "-c", "exit 3"}, 3},
	{__LINE__, NULL, {"sh", "-c", "exit 3"}, 3},
	{__LINE__, "/no/such:/usr/bin:/bin", {"sh", "-c", "exit 3"}, 3},
	{__LINE__, "/no/such", {"sh", "-c", "exit 3"}, 0},
	{__LINE__, "./four:/usr/bin:/bin", {"sh", "-c", "exit 3"}, 3},
	{__LINE__, "./four", {"sh", "-c", "exit 3"}, 0},
	{__LINE__, "/no/such", {"/bin/sh", "-c", "exit 3"}, 3},
	{__LINE__, "/no/such", {"./four"}, 4},
	{__LINE__, "", {"four"}, 4},
	{__LINE__, "/no/such:", {"four"}, 4},
	{__LINE__, ".", {"text"}, 0},
	{__LINE__, ".", {"text", "1", "2", "3"}, 3},
	{__LINE__, ".", {"./text", "1"}, 1},
	{__LINE__, ".:second", {"plain"}, 5},
	{__LINE__, ".:second", {"lost"}, 6},
	{__LINE__, ".", {"plain"}, 0},
	{__LINE__, ".:/no/such", {"plain"}, 0},
	{__LINE__, ".", {"lost"}, 0},
	{__LINE__, ".", {"second"}, 0},
	{__LINE__, ".", {"./second"}, 0},
	{__LINE__, ".", {""}, 0},
	{__LINE__, ".", {LONG_NAME}, 0},
	{__LINE__, LONG_NAME ":.", {"four"}, 0},
};

/* What became of a child: an errno of the exec, or a status of waitpid(2). */
struct outcome {
	int error, status;
};

static const struct sigaction plain = {.sa_handler = SIG_DFL};
static sigset_t none;

static struct outcome await(pid_t pid, int fd)
{
	struct outcome o = {0};

	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, &o.status, 0), pid);
	if (recv(fd, &o.error, sizeof o.error, MSG_DONTWAIT) != sizeof o.error)
		o.error = 0;
	close(fd);
	return o;
}

static void open_pair(int end[2])
{
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, end), 0);
}

static pid_t start(struct launch *l, char *const *argv, int is_sharing, const int end[2])
{
	assert_int_equal(launch_prepare(l, argv), 0);
	l->chld = &plain;
	l->mask = &none;
	const pid_t pid = is_sharing ? launch_sharing(l, end) : fork();
	if (pid == 0) {
		close(end[0]);
		launch_execute(l, end[1]);
	}
	close(end[1]);
	return pid;
}

static struct outcome launched(char *const *argv, int is_sharing)
{
	struct launch l;
	int end[2];

	open_pair(end);
	const pid_t pid = start(&l, argv, is_sharing, end);
	errno = 1234;
	assert_int_equal(write(end[0], "", 1), 1);
	const struct outcome o = await(pid, end[0]);
	assert_int_equal(errno, 1234);
	launch_end(&l);
	return o;
}

static struct outcome by_libc(char *const *argv)
{
	int end[2];

	open_pair(end);
	const pid_t pid = fork();
	if (pid == 0) {
		execvp(argv[0], argv);
		const int e = errno;
		_exit(write(end[1], &e, sizeof e) == sizeof e);
	}
	close(end[1]);
	return await(pid, end[0]);
}

static void make_files(char *dir)
{
	assert_non_null(mkdtemp(dir));
	assert_int_equal(chdir(dir), 0);
	assert_int_equal(mkdir("second", 0755), 0);
	for (size_t i = 0; i < LEN(files); i++) {
		FILE *f = fopen(files[i].name, "w");

		assert_non_null(f);
		fputs(files[i].text, f);
		fclose(f);
		assert_int_equal(chmod(files[i].name, files[i].mode), 0);
	}
}

static void remove_files(const char *dir)
{
	for (size_t i = 0; i < LEN(files); i++)
		unlink(files[i].name);
	rmdir("second");
	assert_int_equal(chdir("/"), 0);
	rmdir(dir);
}

static int can_share(void)
{
	struct launch l;
	int end[2];

	open_pair(end);
	char *const argv[] = {"true", NULL};
	const pid_t pid = start(&l, argv, 1, end);
	const int can = pid != -1 || errno != ENOSYS;
	close(end[0]);
	if (pid > 0)
		waitpid(pid, NULL, 0);
	launch_end(&l);
	return can;
}

static void executes_what_libc_does(void **state)
{
	char dir[] = "/tmp/launch-test.XXXXXX";
	const int ways = can_share() ? 2 : 1;

	(void)state;
	make_files(dir);
	for (size_t i = 0; i < LEN(cases); i++) {
		if (cases[i].dirs)
			setenv("PATH", cases[i].dirs, 1);
		else
			unsetenv("PATH");
		const struct outcome libc = by_libc(cases[i].argv);
		if (cases[i].status && libc.error)
			fail_msg("line %d: execvp: %s", cases[i].line,
				 strerror(libc.error));
		for (int way = 0; way < ways; way++) {
			const struct outcome o = launched(cases[i].argv, way);

			if (o.error != libc.error ||
			    (!o.error && o.status != libc.status) ||
			    (!o.error && WEXITSTATUS(o.status) != cases[i].status))
				fail_msg("line %d: way %d: errno %d, not %d, status %x",
					 cases[i].line, way, o.error, libc.error,
					 (unsigned)o.status);
		}
	}
	remove_files(dir);
}

static volatile int handled;

static void on_signal(int sig)
{
	handled = sig;
}

/* A signal that comes before the exec ends the child: its handler would be this one's. */
static void resets_handlers(void **state)
{
	const struct sigaction sa = {.sa_handler = on_signal};
	struct launch l;
	sigset_t blocked, before;
	int end[2];

	(void)state;
	if (!can_share())
		skip();
	sigaction(SIGINT, &sa, NULL);
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGINT);
	sigprocmask(SIG_BLOCK, &blocked, &before);
	open_pair(end);
	char *const argv[] = {"/bin/sh", "-c", "exit 0", NULL};
	assert_int_equal(launch_prepare(&l, argv), 0);
	l.chld = &plain;
	l.mask = &none;
	l.reset = blocked;
	const pid_t pid = launch_sharing(&l, end);
	close(end[1]);
	assert_true(pid > 0);
	kill(pid, SIGINT);
	assert_int_equal(write(end[0], "", 1), 1);
	const struct outcome o = await(pid, end[0]);
	launch_end(&l);
	sigprocmask(SIG_SETMASK, &before, NULL);
	sigaction(SIGINT, &plain, NULL);
	assert_true(WIFSIGNALED(o.status) && WTERMSIG(o.status) == SIGINT);
	assert_int_equal(handled, 0);
}

/* If the caller closes its end or dies, nothing is executed. */
static void needs_permission(void **state)
{
	const int ways = can_share() ? 2 : 1;

	(void)state;
	for (int way = 0; way < ways; way++) {
		struct launch l;
		int end[2], status;

		open_pair(end);
		char *const argv[] = {"/bin/sh", "-c", "exit 9", NULL};
		const pid_t pid = start(&l, argv, way, end);
		close(end[0]);
		assert_int_equal(waitpid(pid, &status, 0), pid);
		launch_end(&l);
		assert_true(WIFEXITED(status));
		assert_int_equal(WEXITSTATUS(status), 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(executes_what_libc_does),
		cmocka_unit_test(resets_handlers),
		cmocka_unit_test(needs_permission),
	};

	sigemptyset(&none);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
