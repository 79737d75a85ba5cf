/*
 * The control of processes while calls of the C library and of the kernel fail: each
 * refusal has the errno of the call and words, no process is left or stays stopped, and
 * nothing is left open or allocated.
 */
#include "harness.h"

#include "failing.h"
#include "pctx/start.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static int result(int rc, char *words, size_t size)
{
	const int err = errno;

	snprintf(words, size, "%s", message);
	errno = err;
	return rc;
}

/* Releases the processes, and waits for the program. */
static int end(pctx_t *pctx, int rc, char *words, size_t size)
{
	const int err = errno;

	pctx_release(pctx);
	errno = err;
	return result(rc, words, size);
}

static char *const program[] = {(char[]){"/bin/true"}, NULL};
static char *const behind[] = {(char[]){"/usr/bin/env"}, (char[]){"/bin/true"}, NULL};

static int runs_a_program(char *words, size_t size)
{
	*message = '\0';
	pctx_t *pctx = pctx_create(program[0], program, NULL, 0, keep_message);
	return end(pctx, pctx ? pctx_run(pctx, 0, 0, NULL) : -1, words, size);
}

static int runs_behind_a_launcher(char *words, size_t size)
{
	*message = '\0';
	pctx_t *pctx = pctx_create_behind(behind, NULL, 0, keep_message);
	return end(pctx, pctx ? pctx_run(pctx, 0, 0, NULL) : -1, words, size);
}

static int goes_on(pctx_t *pctx, pid_t pid, id_t lwp, char *args, void *arg)
{
	(void)pctx, (void)pid, (void)lwp, (void)args, (void)arg;
	return 0;
}

/* A command line that cannot be read is NULL. */
static int runs_a_program_that_executes(char *words, size_t size)
{
	char *const argv[] = {(char[]){"/bin/sh"}, (char[]){"-c"},
			      (char[]){"exec /bin/true"}, NULL};

	*message = '\0';
	pctx_t *pctx = pctx_create(argv[0], argv, NULL, 0, keep_message);
	if (pctx)
		pctx_set_events(pctx, PCTX_SYSC_EXEC_EVENT, goes_on, PCTX_NULL_EVENT);
	return end(pctx, pctx ? pctx_run(pctx, 0, 0, NULL) : -1, words, size);
}

static int no_tick(pctx_t *pctx, pid_t pid, id_t lwp, void *arg)
{
	(void)pctx, (void)pid, (void)lwp, (void)arg;
	return 0;
}

/* Without a timer, the ticks come from polls. */
static int takes_ticks(char *words, size_t size)
{
	char *const naps[] = {(char[]){"/bin/sleep"}, (char[]){"0.01"}, NULL};

	*message = '\0';
	pctx_t *pctx = pctx_create(naps[0], naps, NULL, 0, keep_message);
	return end(pctx, pctx ? pctx_run(pctx, 1, 0, no_tick) : -1, words, size);
}

/* pctx_wait() gives errno alone. */
static int waits_for_a_program(char *words, size_t size)
{
	int status = 0;

	*message = '\0';
	pctx_t *pctx = pctx_create(program[0], program, NULL, 0, keep_message);
	int rc = -1;
	if (pctx) {
		strcpy(message, "(errno alone)");
		rc = pctx_wait(pctx, &status);
	}
	return end(pctx, rc, words, size);
}

/* The process runs on when it is released, or was not captured. */
static int captures_a_process(char *words, size_t size)
{
	*message = '\0';
	const pid_t pid = __real_fork();
	if (pid == 0)
		for (;;)
			pause();
	pctx_t *pctx = pctx_capture(pid, NULL, 0, keep_message);
	const int rc = pctx ? 0 : -1, err = errno;
	pctx_release(pctx);
	await_state(pid, 'S', 0);
	kill(pid, SIGKILL);
	while (__real_waitpid(pid, NULL, 0) == -1)
		assert_int_equal(errno, EINTR);
	errno = err;
	return result(rc, words, size);
}

static int tries_to_seize(char *words, size_t size)
{
	strcpy(message, "(errno alone)");
	const int err = pctx_try_seize();
	errno = err;
	return result(err ? -1 : 0, words, size);
}

static const struct failure failures[] = {
	{"memory", ENOMEM},    {"fork", EAGAIN},    {"pipe2", EMFILE},
	{"seize", EPERM},      {"seize", ESRCH},    {"waitpid", EINTR},
	{"open", EMFILE},      {"opendir", EMFILE}, {"timer_create", EAGAIN},
	{"sigaction", EINVAL}, {"read", EIO},
};

/*
 * The calls of the child, which begins as a copy of this process, fail too: it ends
 * before it executes the program.
 */
static const struct act acts[] = {
	{.name = "runs_a_program", .run = runs_a_program, .others = {ECHILD}},
	{.name = "runs_behind_a_launcher",
	 .run = runs_behind_a_launcher,
	 .others = {ENOTSUP}},
	{.name = "runs_a_program_that_executes",
	 .run = runs_a_program_that_executes,
	 .others = {ECHILD}},
	{.name = "takes_ticks", .run = takes_ticks, .others = {ECHILD}},
	{.name = "waits_for_a_program", .run = waits_for_a_program, .others = {ECHILD}},
	{.name = "captures_a_process", .run = captures_a_process},
	{.name = "tries_to_seize", .run = tries_to_seize},
};

static void reports_each_failure(void **state)
{
	alarm(DEADLINE_S);
	failing_each(*state, failures, COUNT(failures));
	alarm(0);
}

/* A process that the kernel does not report any more is given up. */
static void reports_lost_control(void **state)
{
	(void)state;
	alarm(DEADLINE_S);
	*message = '\0';
	pctx_t *pctx = pctx_create(program[0], program, NULL, 0, keep_message);
	assert_non_null(pctx);
	char want[64];
	snprintf(want, sizeof want, "run: lost control of pid %d", (int)pctx_pid(pctx));
	failing.failure = (struct failure){"waitpid", ECHILD};
	failing.calls = 0;
	failing.nth = 1;
	assert_int_equal(pctx_run(pctx, 0, 0, NULL), -1);
	assert_int_equal(errno, ECHILD);
	assert_string_equal(message, want);
	failing.nth = 0;
	pctx_kill(pctx);
	alarm(0);
}

static int refuses_lwp(pctx_t *pctx, pid_t pid, id_t lwp, void *arg)
{
	(void)pctx, (void)pid, (void)lwp, (void)arg;
	errno = 0;
	assert_null(pctx_create_behind(behind, NULL, 0, keep_message));
	assert_int_equal(errno, EBUSY);
	return -1;
}

/*
 * A child of the tracer does not trace the program; a handler can refuse an LWP, and
 * cannot create programs.
 */
static void refuses_others(void **state)
{
	int status;

	(void)state;
	alarm(DEADLINE_S);
	pctx_t *pctx = pctx_create(program[0], program, NULL, 1, keep_message);
	assert_non_null(pctx);
	const pid_t pid = __real_fork();
	if (pid == 0)
		_exit(pctx_wait(pctx, &status) != -1 || errno != ECHILD);
	assert_int_equal(__real_waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	*message = '\0';
	pctx_set_events(pctx, PCTX_INIT_LWP_EVENT, refuses_lwp, PCTX_NULL_EVENT);
	assert_int_equal(pctx_run(pctx, 0, 0, NULL), -1);
	assert_int_equal(errno, ECANCELED);
	assert_non_null(strstr(message, "lwp discovery failed"));
	pctx_kill(pctx);
	alarm(0);
}

int main(int argc, char **argv)
{
	struct CMUnitTest tests[COUNT(acts) + 2];

	prepare(argc, argv);
	tests[0] = (struct CMUnitTest)cmocka_unit_test_teardown(reports_lost_control,
								nothing_left);
	tests[1] = (struct CMUnitTest)cmocka_unit_test_teardown(refuses_others,
								nothing_left);
	for (size_t i = 0; i < COUNT(acts); i++)
		tests[i + 2] = (struct CMUnitTest){.name = acts[i].name,
						   .test_func = reports_each_failure,
						   .teardown_func = nothing_left,
						   .initial_state = (void *)&acts[i]};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
