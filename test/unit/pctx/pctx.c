/* Tests of runs: pctx_run(3CPC) and what ends it. */
#include <libpctx.h>

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/procfs.h"
#include "harness.h"

static const struct {
	int line;
	const char *word;
	int follow;
	const char *log;
} cases[] = {
	{__LINE__, "exit3", 0, "0:init1 0:fini1 0:exit1=0x300 "},
	{__LINE__, "forks", 0, "0:init1 0:fork1 0:fini1 0:exit1=0x700 "},
	{__LINE__, "forks", 1,
	 "0:init1 0:fork1 1:init1 1:fini1 1:exit1=0x700 0:fini1 0:exit1=0x700 "},
	{__LINE__, "spawns", 0, "0:init1 0:fork1 0:fini1 0:exit1=0x400 "},
	{__LINE__, "spawns", 1,
	 "0:init1 0:fork1 1:init1 1:fini1 1:exec1 'again exit3' 1:init1 1:fini1 "
	 "1:exit1=0x300 0:fini1 0:exit1=0x400 "},
	{__LINE__, "execs", 0,
	 "0:init1 0:fini1 0:exec1 'again exit3' 0:init1 0:fini1 0:exit1=0x300 "},
	{__LINE__, "thread_execs", 0,
	 "0:init1 0:init2 0:create2 0:fini1 0:gone1 0:fini2 0:exec1 'again exit3' "
	 "0:init1 0:fini1 0:exit1=0x300 "},
	{__LINE__, "leader_first", 0,
	 "0:init1 0:init2 0:create2 0:fini2 0:gone2 0:fini1 0:exit1=0 "},
	{__LINE__, "signals", 0, "0:init1 0:fini1 0:exit1=0x6400 "},
	{__LINE__, "stops", 0, "0:init1 0:fork1 0:fini1 0:exit1=0xb00 "},
	{__LINE__, "stops", 1,
	 "0:init1 0:fork1 1:init1 1:fini1 1:exit1=0xb00 0:fini1 0:exit1=0xb00 "},
};

static void calls_handlers_in_order(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct seen *s = seen_new(cases[i].follow);
		pctx_t *pctx = create(cases[i].word, s);

		assert_non_null(pctx);
		set_events(pctx);
		const int r = pctx_run(pctx, 0, 0, NULL);
		if (r || s->bad_calls || *message || strcmp(s->log, cases[i].log) != 0)
			fail_msg("line %d: %d, %u bad calls, '%s': %s", cases[i].line, r,
				 s->bad_calls, message, s->log);
		errno = 0;
		assert_int_equal(pctx_run(pctx, 0, 0, NULL), -1);
		assert_int_equal(errno, ESRCH);
		pctx_release(pctx);
		seen_free(s);
	}
}

/* LWPs are created and end in any order; each is reported once and in the right order. */
static const struct {
	int line;
	const char *word;
	unsigned procs, min_lwps, max_lwps;
	int status;
} crowds[] = {
	{__LINE__, "threads_joined", 1, 1 + THREADS, 1 + THREADS, 0x600},
	{__LINE__, "threads_at_end", 1, 1 + STARTED, 1 + THREADS, 0x500},
	{__LINE__, "threads_killed", 1, 1 + STARTED, 1 + THREADS, SIGKILL},
	{__LINE__, "creators", 1, 1 + 3 * 151, 1 + 3 * 151, 0x400},
	{__LINE__, "tree", 1 + BRANCHES *CHILDREN *(1 + GRANDCHILDREN),
	 1 + BRANCHES *(1 + CHILDREN * (1 + GRANDCHILDREN)),
	 1 + BRANCHES *(1 + CHILDREN * (1 + GRANDCHILDREN)), 0},
};

static void reports_many_lwps_once(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof crowds / sizeof crowds[0]; i++) {
		struct seen *s = seen_new(1);
		pctx_t *pctx = create(crowds[i].word, s);

		assert_non_null(pctx);
		set_events(pctx);
		const int r = pctx_run(pctx, 0, 0, NULL);
		unsigned bad = 0;
		for (unsigned k = 0; k < s->nprocs; k++)
			bad += !s->proc[k].ended || s->proc[k].status != crowds[i].status;
		if (r || s->bad_calls || *message || bad ||
		    s->nprocs != crowds[i].procs || s->inits < crowds[i].min_lwps ||
		    s->inits > crowds[i].max_lwps || s->finis != s->inits)
			fail_msg(
				"line %d: %d, %u bad calls, '%s', %u processes (%u bad), "
				"%u + %u LWPs",
				crowds[i].line, r, s->bad_calls, message, s->nprocs, bad,
				s->inits, s->finis);
		pctx_release(pctx);
		seen_free(s);
	}
}

/*
 * Without an exec handler an exec ends the tracking; an exec handler that returns nonzero
 * does too, and the run fails. The program runs on.
 */
static void exec_ends_tracking(void **state)
{
	(void)state;
	for (int handled = 0; handled < 2; handled++) {
		struct seen *s = seen_new(0);
		pctx_t *pctx = create("execs", s);
		int status = -1;

		set_events(pctx);
		s->exec_result = 1;
		if (!handled)
			pctx_set_events(pctx, PCTX_SYSC_EXEC_EVENT, NULL,
					PCTX_NULL_EVENT);
		errno = 0;
		assert_int_equal(pctx_run(pctx, 0, 0, NULL), handled ? -1 : 0);
		assert_int_equal(errno, handled ? ECANCELED : 0);
		assert_string_equal(s->log,
				    handled ? "0:init1 0:fini1 0:exec1 'again exit3' "
					    : "0:init1 0:fini1 ");
		assert_int_equal(pctx_wait(pctx, &status), 0);
		assert_int_equal(status, 0x300);
		status = -1;
		assert_int_equal(pctx_wait(pctx, &status), 0);
		assert_int_equal(status, 0x300);
		pctx_release(pctx);
		seen_free(s);
	}
}

/*
 * A failing init_lwp at the start leaves the process stopped; a failing lwp_create
 * detaches it.
 */
static void failing_handlers_end_runs(void **state)
{
	struct seen *s = seen_new(0);
	pctx_t *pctx = create("threads_joined", s);
	int status = -1;

	(void)state;
	set_events(pctx);
	s->init_result = 1;
	errno = 0;
	assert_int_equal(pctx_run(pctx, 0, 0, NULL), -1);
	assert_int_equal(errno, ECANCELED);
	await_state(pctx_pid(pctx), 't', 1);
	memset(s->proc, 0, sizeof *s->proc);
	s->nprocs = 0;
	s->init_result = 0;
	*pctx_lwp_data(pctx, 1) = NULL;
	s->create_result = 1;
	errno = 0;
	assert_int_equal(pctx_run(pctx, 0, 0, NULL), -1);
	assert_int_equal(errno, ECANCELED);
	assert_int_equal(s->bad_calls, 0);
	assert_int_equal(pctx_wait(pctx, &status), 0);
	assert_int_equal(status, 0x600);
	pctx_release(pctx);
	seen_free(s);
}

/* After the last sample the process is detached and runs on. */
static void detaches_after_samples(void **state)
{
	(void)state;
	for (int captured = 0; captured < 2; captured++) {
		struct seen *s = seen_new(0);
		pid_t pid = captured ? fork() : 0;
		if (captured && pid == 0)
			_exit(parked());
		pctx_t *pctx = captured ? pctx_capture(pid, s, 0, keep_message)
					: create("parked", s);

		assert_non_null(pctx);
		pid = pctx_pid(pctx);
		set_events(pctx);
		const int64_t from = now_ms();
		assert_int_equal(pctx_run(pctx, 10, 3, on_tick), 0);
		assert_true(now_ms() - from >= 29);
		/* A late tick is skipped and counts, except the last. */
		assert_in_range(s->ticks, 1, 3);
		assert_true(s->ticks + pctx_skipped(pctx) >= 3);
		assert_int_equal(s->bad_calls, 0);
		assert_string_equal(s->log, "0:init1 ");
		await_state(pid, 'S', 0);
		pctx_release(pctx);
		await_state(pid, 'S', 0);
		assert_int_equal(kill(pid, SIGTERM), 0);
		assert_int_equal(status_of(pid), SIGTERM);
		seen_free(s);
	}
}

static void failing_tick_detaches(void **state)
{
	struct seen *s = seen_new(0);
	pctx_t *pctx = create("parked", s);
	const pid_t pid = pctx_pid(pctx);

	(void)state;
	s->tick_result = 1;
	errno = 0;
	assert_int_equal(pctx_run(pctx, 1, 0, on_tick), -1);
	assert_int_equal(errno, ECANCELED);
	assert_int_equal(s->ticks, 1);
	await_state(pid, 'S', 0);
	pctx_release(pctx);
	assert_int_equal(kill(pid, SIGTERM), 0);
	assert_int_equal(status_of(pid), SIGTERM);
	seen_free(s);
}

enum { LATE_MS = 5 };

/* The first tick lasts until at least LATE_MS deadlines of 1 ms are over. */
static int on_late_tick(pctx_t *pctx, pid_t pid, id_t lwpid, void *arg)
{
	const struct seen *s = arg;
	const int64_t end = now_ms() + LATE_MS + 1;

	while (s->ticks == 0 && now_ms() < end)
		sched_yield();
	return on_tick(pctx, pid, lwpid, arg);
}

/* Deadlines that a tick misses are counted, also as samples; the last sample is taken. */
static void late_ticks_are_counted(void **state)
{
	struct seen *s = seen_new(0);
	pctx_t *pctx = create("parked", s);
	const pid_t pid = pctx_pid(pctx);

	(void)state;
	assert_int_equal(pctx_run(pctx, 1, LATE_MS, on_late_tick), 0);
	assert_int_equal(s->ticks, 2);
	assert_true(pctx_skipped(pctx) >= LATE_MS);
	assert_int_equal(s->bad_calls, 0);
	pctx_release(pctx);
	assert_int_equal(kill(pid, SIGTERM), 0);
	assert_int_equal(status_of(pid), SIGTERM);
	seen_free(s);
}

static pctx_t *volatile to_stop;

static void on_alarm(int sig)
{
	(void)sig;
	pctx_stop(to_stop);
}

/* A signal handler calls pctx_stop() once, ms from now. */
static void stop_in(pctx_t *pctx, int ms)
{
	const struct itimerval it = {
		.it_value = {.tv_sec = ms / 1000, .tv_usec = ms % 1000 * 1000}};
	const struct sigaction sa = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};

	to_stop = pctx;
	assert_int_equal(sigaction(SIGALRM, &sa, NULL), 0);
	assert_int_equal(setitimer(ITIMER_REAL, &it, NULL), 0);
}

static void pctx_stop_interrupts(void **state)
{
	struct seen *s = seen_new(0);
	pctx_t *pctx = create("parked", s);
	const pid_t pid = pctx_pid(pctx);
	int status = -1;

	(void)state;
	for (int i = 0; i < 3; i++) {
		errno = 0;
		if (i == 2)
			pctx_stop(pctx);
		else
			stop_in(pctx, 10);
		assert_int_equal(pctx_run(pctx, i ? 3600000 : 0, 0, on_tick), -1);
		assert_int_equal(errno, EINTR);
		await_state(pid, 'S', 1);
		assert_int_equal(pctx_tid(pctx, 1), pid);
	}
	stop_in(pctx, 10);
	errno = 0;
	assert_int_equal(pctx_wait(pctx, &status), -1);
	assert_int_equal(errno, EINTR);
	/* The stop is done: the next call is not stopped. */
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(pctx_wait(pctx, &status), 0);
	assert_int_equal(status, SIGKILL);
	pctx_release(pctx);
	seen_free(s);
}

/* A signal handler calls pctx_stop() every millisecond; 0: no more. */
static void stop_often(pctx_t *pctx, int often)
{
	const struct itimerval it = {.it_value.tv_usec = often * 1000,
				     .it_interval.tv_usec = often * 1000};

	stop_in(pctx, 0);
	assert_int_equal(setitimer(ITIMER_REAL, &it, NULL), 0);
}

/*
 * After pctx_stop() the next run goes on: LWPs are reported once, and ticks are not lost.
 */
static void stopped_runs_go_on(void **state)
{
	static const char *const program[] = {"parked", "forks_on"};

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct seen *s = seen_new(1);
		pctx_t *pctx = create(program[i], s);
		const pid_t pid = pctx_pid(pctx);
		unsigned stops = 0;
		int r;

		set_events(pctx);
		stop_often(pctx, 1);
		while ((r = pctx_run(pctx, 10, i ? 0 : 3, on_tick)) == -1 &&
		       errno == EINTR)
			stops++;
		stop_often(pctx, 0);
		assert_int_equal(r, 0);
		assert_int_equal(s->bad_calls, 0);
		assert_true(stops > 0);
		if (i == 0) {
			assert_in_range(s->ticks, 1, 3);
			assert_string_equal(s->log, "0:init1 ");
			assert_int_equal(kill(pid, SIGTERM), 0);
			assert_int_equal(status_of(pid), SIGTERM);
		}
		pctx_release(pctx);
		seen_free(s);
	}
}

/*
 * A process may fork or execute while it is detached: nothing stays stopped or is killed.
 */
static void detaches_at_any_time(void **state)
{
	(void)state;
	for (int i = 0; i < 80; i++) {
		struct seen *s = seen_new(i & 1);
		pctx_t *pctx = create(i & 2 ? "execs_on" : "forks_on", s);
		int status = -1;

		set_events(pctx);
		stop_in(pctx, DEADLINE_S * 1000);
		if (pctx_run(pctx, 1 + (unsigned)i / 4 % 10, 1, on_tick) == -1)
			fail_msg("run %d: it is not detached", i);
		if (pctx_wait(pctx, &status) == -1)
			fail_msg("run %d: it does not run on", i);
		assert_int_equal(status, 0);
		setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
		pctx_release(pctx);
		seen_free(s);
	}
}

static void checks_arguments(void **state)
{
	struct seen *s = seen_new(0);
	pctx_t *pctx = create("exit3", s);
	int status;

	(void)state;
	errno = 0;
	assert_int_equal(pctx_set_events(pctx, 99, on_init, PCTX_NULL_EVENT), -1);
	assert_int_equal(errno, EINVAL);
	assert_string_equal(message, "set_events: unknown event type 63");
	errno = 0;
	assert_int_equal(pctx_tid(pctx, 2), -1);
	assert_int_equal(errno, ESRCH);
	errno = 0;
	assert_null(pctx_lwp_data(pctx, 0));
	assert_int_equal(errno, ESRCH);
	assert_int_equal(pctx_tid(pctx, 1), pctx_pid(pctx));
	await_state(pctx_pid(pctx), 't', 1);
	/* The program has not run yet; after pctx_release() it runs. */
	const pid_t pid = pctx_pid(pctx);
	pctx_release(pctx);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0x300);
	pctx_release(NULL);
	seen_free(s);
}

/* NULL arguments fail with EINVAL or do nothing. */
static void refuses_null(void **state)
{
	char *const argv[] = {(char *)"true", NULL};
	int status;

	(void)state;
	errno = 0;
	assert_null(pctx_create(NULL, argv, NULL, 0, keep_message));
	assert_int_equal(errno, EINVAL);
	assert_null(pctx_create("true", NULL, NULL, 0, keep_message));
	errno = 0;
	assert_int_equal(pctx_run(NULL, 0, 0, NULL), -1);
	assert_int_equal(errno, EINVAL);
	errno = 0;
	assert_int_equal(pctx_set_events(NULL, PCTX_NULL_EVENT), -1);
	assert_int_equal(errno, EINVAL);
	errno = 0;
	assert_int_equal(pctx_wait(NULL, &status), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(pctx_pid(NULL), -1);
	assert_int_equal(pctx_tid(NULL, 1), -1);
	assert_null(pctx_lwp_data(NULL, 1));
	assert_int_equal(pctx_skipped(NULL), 0);
	pctx_walk_lwps(NULL, NULL);
	pctx_follow(NULL, NULL);
	pctx_stop(NULL);
	pctx_kill(NULL);
	struct seen *s = seen_new(0);
	pctx_t *pctx = create("exit3", s);
	errno = 0;
	assert_int_equal(pctx_run(pctx, 1, 0, NULL), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(pctx_run(pctx, 0, 0, NULL), 0);
	pctx_release(pctx);
	seen_free(s);
}

/* A handle that was freed is not taken for another one, also not for a later one. */
static void refuses_freed(void **state)
{
	struct seen *s = seen_new(0);
	pctx_t *old = create("exit3", s);
	int status;

	(void)state;
	pctx_kill(old);
	pctx_t *pctx = create("exit3", s);
	const pid_t pid = pctx_pid(pctx);
	pctx_release(old);
	pctx_kill(old);
	pctx_stop(old);
	pctx_follow(old, NULL);
	pctx_walk_lwps(old, NULL);
	errno = 0;
	assert_int_equal(pctx_run(old, 0, 0, NULL), -1);
	assert_int_equal(errno, EINVAL);
	errno = 0;
	assert_int_equal(pctx_set_events(old, PCTX_NULL_EVENT), -1);
	assert_int_equal(errno, EINVAL);
	errno = 0;
	assert_int_equal(pctx_wait(old, &status), -1);
	assert_int_equal(errno, EINVAL);
	errno = 0;
	assert_int_equal(pctx_pid(old), -1);
	assert_int_equal(errno, EINVAL);
	errno = 0;
	assert_int_equal(pctx_tid(old, 1), -1);
	assert_int_equal(errno, ESRCH);
	errno = 0;
	assert_null(pctx_lwp_data(old, 1));
	assert_int_equal(errno, ESRCH);
	assert_int_equal(pctx_skipped(old), 0);
	assert_int_equal(pctx_pid(pctx), pid);
	assert_int_equal(pctx_run(pctx, 0, 0, NULL), 0);
	assert_int_equal(pctx_wait(pctx, &status), 0);
	assert_int_equal(status, 0x300);
	pctx_release(pctx);
	seen_free(s);
}

static void *origin_of_thread(void *arg)
{
	*(pid_t *)arg = procfs_origin(gettid());
	return NULL;
}

/* The origin of a thread is its process; the origin of a process is its parent. */
static void origins(void **state)
{
	pthread_t t;
	pid_t origin = 0;

	(void)state;
	assert_int_equal(pthread_create(&t, NULL, origin_of_thread, &origin), 0);
	assert_int_equal(pthread_join(t, NULL), 0);
	assert_int_equal(origin, getpid());
	assert_int_equal(procfs_origin(getpid()), getppid());
	assert_int_equal(procfs_origin(INT32_MAX), -1);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(calls_handlers_in_order, nothing_left),
		cmocka_unit_test_teardown(reports_many_lwps_once, nothing_left),
		cmocka_unit_test_teardown(exec_ends_tracking, nothing_left),
		cmocka_unit_test_teardown(failing_handlers_end_runs, nothing_left),
		cmocka_unit_test_teardown(detaches_after_samples, nothing_left),
		cmocka_unit_test_teardown(late_ticks_are_counted, nothing_left),
		cmocka_unit_test_teardown(failing_tick_detaches, nothing_left),
		cmocka_unit_test_teardown(pctx_stop_interrupts, nothing_left),
		cmocka_unit_test_teardown(stopped_runs_go_on, nothing_left),
		cmocka_unit_test_teardown(detaches_at_any_time, nothing_left),
		cmocka_unit_test_teardown(checks_arguments, nothing_left),
		cmocka_unit_test_teardown(refuses_null, nothing_left),
		cmocka_unit_test_teardown(refuses_freed, nothing_left),
		cmocka_unit_test_teardown(origins, nothing_left),
	};

	prepare(argc, argv);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
