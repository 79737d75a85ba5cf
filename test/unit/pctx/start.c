/* Tests of pctx_create(3CPC), and of the programs that it refuses. */
#include "pctx/start.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include <libpctx.h>
#include "harness.h"

static void ignore_message(const char *fn, const char *fmt, va_list ap)
{
	(void)fn;
	(void)fmt;
	(void)ap;
}

/*
 * env(1) is a launcher: it executes the program that comes after its options. Both execs
 * are reported as one exec of the program. An exec without a launcher is reported as
 * usual.
 */
static void behind_a_launcher(void **state)
{
	static const struct {
		int line;
		const char *script, *log;
	} launched[] = {
		{__LINE__, "exit 3", "0:init1 0:fini1 0:exit1=0x300 "},
		{__LINE__, "exec /usr/bin/env -uX sh -c 'exit 4'",
		 "0:init1 0:fini1 0:exec1 'sh -c exit 4' 0:init1 0:fini1 0:exit1=0x400 "},
		{__LINE__, "exec /usr/bin/env -- sh -c 'exec sh -c \"exit 5\"'",
		 "0:init1 0:fini1 0:exec1 'sh -c exec sh -c \"exit 5\"' 0:init1 0:fini1 "
		 "0:exec1 'sh -c exit 5' 0:init1 0:fini1 0:exit1=0x500 "},
		{__LINE__, "/usr/bin/env sh -c 'exit 6'; exit 7",
		 "0:init1 0:fork1 1:init1 1:fini1 1:exec1 'sh -c exit 6' 1:init1 1:fini1 "
		 "1:exit1=0x600 0:fini1 0:exit1=0x700 "},
	};
	char env[] = "/usr/bin/env", options[] = "--", sh[] = "sh", c[] = "-c";

	(void)state;
	for (size_t i = 0; i < sizeof launched / sizeof launched[0]; i++) {
		char *const argv[] = {env, options, sh, c, (char *)launched[i].script,
				      NULL};
		struct seen *s = seen_new(1);
		pctx_t *pctx = pctx_create_behind(argv, s, 0, NULL);

		assert_non_null(pctx);
		set_events(pctx);
		const int r = pctx_run(pctx, 0, 0, NULL);
		if (r || s->bad_calls || strcmp(s->log, launched[i].log) != 0)
			fail_msg("line %d: %d, '%s'", launched[i].line, r, s->log);
		pctx_release(pctx);
		seen_free(s);
	}
}

/* pctx_create_behind() fails if the launcher is missing or cannot start the program. */
static void refuses_launchers(void **state)
{
	char none[] = "/nonexistent/launcher", env[] = "/usr/bin/env",
	     program[] = "/nonexistent/program";
	char *const nowhere[] = {none, program, NULL},
		    *const lost[] = {env, program, NULL}, *const empty[] = {NULL};

	(void)state;
	errno = 0;
	assert_null(pctx_create_behind(nowhere, NULL, 0, ignore_message));
	assert_int_equal(errno, ENOENT);
	assert_null(pctx_create_behind(lost, NULL, 0, ignore_message));
	assert_null(pctx_create_behind(empty, NULL, 0, ignore_message));
	assert_int_equal(errno, EINVAL);
}

static void refuses_programs(void **state)
{
	char dir[] = "/tmp/libpctx-test.XXXXXX", path[64], text[128];
	char *const argv[] = {(char[]){"x"}, NULL};

	(void)state;
	assert_non_null(mkdtemp(dir));
	/* An unsearchable folder in PATH would give another error. */
	char *const folders = strdup(getenv("PATH"));
	setenv("PATH", dir, 1);
	errno = 0;
	refused(__LINE__,
		pctx_create("no-such-program-here", argv, NULL, 0, keep_message), ENOENT,
		"create: cannot find program 'no-such-program-here'");
	setenv("PATH", folders, 1);
	free(folders);
	snprintf(path, sizeof path, "%s/file", dir);
	close(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
	snprintf(text, sizeof text,
		 "create: cannot execute program '%s': Permission denied", path);
	refused(__LINE__, pctx_create(path, argv, NULL, 0, keep_message), EACCES, text);
	snprintf(text, sizeof text, "create: cannot execute program '%s': Is a directory",
		 dir);
	refused(__LINE__, pctx_create(dir, argv, NULL, 0, keep_message), EACCES, text);
	unlink(path);
	snprintf(path, sizeof path, "%s/file/below", dir);
	close(open(strndupa(path, strlen(path) - 6), O_WRONLY | O_CREAT | O_CLOEXEC,
		   0644));
	snprintf(text, sizeof text, "create: cannot find program '%s'", path);
	refused(__LINE__, pctx_create(path, argv, NULL, 0, keep_message), ENOTDIR, text);
	path[strlen(path) - 6] = '\0';
	unlink(path);
	rmdir(dir);
}

/* Without a handler of errors the reason is on standard error. */
static void prints_the_reason(void **state)
{
	char *const argv[] = {(char[]){"x"}, NULL};
	char text[128] = "";
	int ends[2];

	(void)state;
	fflush(stderr);
	const int before = dup(STDERR_FILENO);
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(dup2(ends[1], STDERR_FILENO), STDERR_FILENO);
	pctx_t *pctx = pctx_create("/nowhere/x", argv, NULL, 0, NULL);
	const int e = errno;
	dup2(before, STDERR_FILENO);
	close(before);
	close(ends[1]);
	assert_null(pctx);
	assert_int_equal(e, ENOENT);
	assert_true(read(ends[0], text, sizeof text - 1) > 0);
	close(ends[0]);
	assert_string_equal(text,
			    "libpctx: pctx_create: cannot find program '/nowhere/x'\n");
}

/* These run in fork(2) of pctx_create(3CPC), while dies is set. */
static int dies;

static void die_in_child(void)
{
	if (dies)
		raise(SIGKILL);
}

static void wait_for_death(void)
{
	siginfo_t info;

	if (dies)
		waitid(P_ALL, 0, &info, WEXITED | WNOWAIT);
}

/* The words name no missing permission. */
static void reports_a_child_that_was_killed(void **state)
{
	char *const argv[] = {(char[]){"true"}, NULL};

	(void)state;
	assert_int_equal(pthread_atfork(NULL, wait_for_death, die_in_child), 0);
	dies = 1;
	pctx_t *pctx = pctx_create("true", argv, NULL, 0, keep_message);
	const int e = errno;
	dies = 0;
	errno = e;
	refused(__LINE__, pctx, ESRCH,
		"create: cannot trace program 'true': signal 9 killed it before it "
		"began");
}

/* Makes a copy of this program. */
static void copy_self(const char *to, mode_t mode)
{
	const int in = open(self, O_RDONLY | O_CLOEXEC);
	const int out = open(to, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	char buf[65536];

	assert_true(in != -1 && out != -1);
	for (ssize_t n; (n = read(in, buf, sizeof buf)) > 0;)
		assert_int_equal(write(out, buf, (size_t)n), n);
	assert_int_equal(fchmod(out, mode), 0);
	close(in);
	close(out);
}

/* Runs in a process of user nobody. Returns 0, or the number of the check that failed. */
static int as_nobody(const char *copy, const char *setid, const char *unreadable)
{
	char *argv[] = {(char[]){"program"}, (char[]){"exec_setid"}, NULL};
	char text[256];

	/*
	 * A process that has given up root is not dumpable and cannot be traced:
	 * ptrace(2).
	 */
	if (setgroups(0, NULL) || setgid(65534) || setuid(65534) ||
	    prctl(PR_SET_DUMPABLE, 1))
		return 1;
	setenv("SETID", setid, 1);
	snprintf(text, sizeof text,
		 "create: cannot trace set-id or unreadable program '%s'", setid);
	errno = 0;
	if (pctx_create(setid, argv, NULL, 0, keep_message) || errno != EPERM ||
	    strcmp(message, text) != 0)
		return 2;
	snprintf(text, sizeof text,
		 "create: cannot trace set-id or unreadable program '%s'", unreadable);
	errno = 0;
	if (pctx_create(unreadable, argv, NULL, 0, keep_message) || errno != EPERM ||
	    strcmp(message, text) != 0)
		return 3;
	struct seen *s = seen_new(0);
	pctx_t *pctx = pctx_create(copy, argv, s, 0, keep_message);
	if (!pctx)
		return 4;
	set_events(pctx);
	snprintf(text, sizeof text, "run: %d: execed a program that cannot be tracked",
		 (int)pctx_pid(pctx));
	errno = 0;
	if (pctx_run(pctx, 0, 0, NULL) != -1 || errno != ECANCELED ||
	    strcmp(message, text) != 0 ||
	    strcmp(s->log, "0:init1 0:fini1 0:exec1 'setid exit3' ") != 0)
		return 5;
	pctx_release(pctx);
	seen_free(s);
	/* The parent belongs to root. */
	snprintf(
		text, sizeof text,
		"capture: pid %d: permission denied: the process belongs to another user "
		"or is set-id; tracing it needs CAP_SYS_PTRACE (root)",
		(int)getppid());
	if (access("/proc/sys/kernel/yama", F_OK) == 0)
		return 0;
	errno = 0;
	if (pctx_capture(getppid(), NULL, 0, keep_message) || errno != EPERM ||
	    strcmp(message, text) != 0)
		return 6;
	return 0;
}

static void refuses_setid(void **state)
{
	char dir[] = "/tmp/libpctx-test.XXXXXX", path[3][64];
	static const mode_t mode[3] = {0755, 04755, 0711};
	struct statvfs fs;

	(void)state;
	if (geteuid() != 0 || statvfs("/tmp", &fs) == -1 ||
	    (fs.f_flag & (ST_NOSUID | ST_NOEXEC))) {
		print_message("needs root, and a /tmp that takes set-id programs\n");
		skip();
	}
	assert_non_null(mkdtemp(dir));
	assert_int_equal(chmod(dir, 0755), 0);
	for (int i = 0; i < 3; i++) {
		snprintf(path[i], sizeof path[i], "%s/%d", dir, i);
		copy_self(path[i], mode[i]);
	}
	fflush(NULL);
	const pid_t pid = fork();
	if (pid == 0)
		_exit(as_nobody(path[0], path[1], path[2]));
	const int st = status_of(pid);
	for (int i = 0; i < 3; i++)
		unlink(path[i]);
	rmdir(dir);
	assert_int_equal(st, 0);
}

/* Runs in a child: when the parent traces it, starts a program and controls it. */
static int control_another(int go)
{
	char *const argv[] = {(char[]){"true"}, NULL};
	char c;

	check(read(go, &c, 1) == 1);
	check(pctx_try_seize() == 0);
	pctx_t *pctx = pctx_create("true", argv, NULL, 0, NULL);
	check(pctx && pctx_run(pctx, 0, 0, NULL) == 0);
	pctx_release(pctx);
	return 0;
}

/* Lets process pid run, and detaches its children once pid waits for something. */
static int detach_children(pid_t pid)
{
	for (;;) {
		int st;
		const pid_t tid = waitpid(-1, &st, __WALL);

		if (tid == pid && !WIFSTOPPED(st))
			return st;
		if (tid == pid) {
			const int sig = st >> 16 ? 0 : WSTOPSIG(st);

			assert_int_equal(ptrace(PTRACE_CONT, pid, 0, (long)sig), 0);
		} else if (tid > 0 && WIFSTOPPED(st)) {
			await_state(pid, 'S', 1);
			ptrace(PTRACE_DETACH, tid, 0, 0L);
		}
	}
}

/*
 * Another tracer of the caller gets each child first. The caller can trace a child only
 * when that tracer has left it.
 */
static void starts_below_a_tracer(void **state)
{
	int go[2];

	(void)state;
	fflush(NULL);
	assert_int_equal(pipe(go), 0);
	const pid_t pid = fork();
	if (pid == 0)
		_exit(control_another(go[0]));
	assert_int_equal(ptrace(PTRACE_SEIZE, pid, 0, PTRACE_O_TRACEFORK), 0);
	assert_int_equal(write(go[1], "", 1), 1);
	assert_int_equal(detach_children(pid), 0);
	close(go[0]);
	close(go[1]);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(starts_below_a_tracer, nothing_left),
		cmocka_unit_test_teardown(behind_a_launcher, nothing_left),
		cmocka_unit_test_teardown(refuses_launchers, nothing_left),
		cmocka_unit_test_teardown(refuses_programs, nothing_left),
		cmocka_unit_test_teardown(prints_the_reason, nothing_left),
		cmocka_unit_test_teardown(reports_a_child_that_was_killed, nothing_left),
		cmocka_unit_test_teardown(refuses_setid, nothing_left),
	};

	prepare(argc, argv);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
