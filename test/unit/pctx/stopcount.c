/* Tests of the count of an LWP's stops for its tracer. */
#include "pctx/stopcount.h"

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ptrace.h>

#include <cmocka.h>

#include "harness.h"
#include "pctx/control.h"

/*
 * The stops of the first LWP from its start until its program ends or executes another.
 */
static const struct {
	int line;
	const char *word;
	uint64_t stops;
} cases[] = {
	{__LINE__, "exit3", 0},	       {__LINE__, "signals", 100},
	{__LINE__, "execs", 1},	       {__LINE__, "forks", 2}, /* the fork, and SIGCHLD */
	{__LINE__, "leader_first", 1}, /* the creation of a thread */
};

struct counted {
	struct stopcount *stops;
	uint64_t at_end;
	int ended;
};

static int begin(pctx_t *pctx, pid_t pid, id_t lwpid, void *arg)
{
	struct counted *c = arg;

	(void)pid;
	if (!c->stops)
		c->stops = lwp_stopcount(pctx, lwpid);
	return c->stops ? 0 : -1;
}

static int end(pctx_t *pctx, pid_t pid, id_t lwpid, void *arg)
{
	struct counted *c = arg;

	(void)pctx;
	(void)pid;
	if (lwpid == 1 && !c->ended) {
		c->ended = 1;
		c->at_end = stopcount_read(c->stops);
	}
	return 0;
}

static void counts_stops(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct counted c = {0};
		pctx_t *pctx = create(cases[i].word, NULL);

		assert_non_null(pctx);
		pctx_follow(pctx, &c);
		assert_int_equal(pctx_set_events(pctx, PCTX_INIT_LWP_EVENT, begin,
						 PCTX_FINI_LWP_EVENT, end,
						 PCTX_NULL_EVENT),
				 0);
		assert_int_equal(pctx_run(pctx, 0, 0, NULL), 0);
		pctx_release(pctx);
		if (!c.ended || c.at_end != cases[i].stops)
			fail_msg("line %d: %lu stops", cases[i].line,
				 (unsigned long)c.at_end);
		/* The count outlives the LWP and the run. */
		assert_true(stopcount_read(c.stops) >= c.at_end);
		stopcount_drop(c.stops);
	}
}

static int stop_once(pctx_t *pctx, pid_t pid, id_t lwpid, void *arg)
{
	struct counted *c = arg;
	const uint64_t before = stopcount_read(c->stops);

	(void)pctx;
	(void)lwpid;
	kill(pid, SIGCHLD);
	await_state(pid, 't', 1);
	c->at_end = stopcount_read(c->stops) - before;
	return 0;
}

/* A stop that was not reported yet is in the count. */
static void counts_pending_stops(void **state)
{
	struct counted c = {0};
	pctx_t *pctx = create("parked", NULL);

	(void)state;
	assert_non_null(pctx);
	c.stops = lwp_stopcount(pctx, 1);
	assert_non_null(c.stops);
	pctx_follow(pctx, &c);
	assert_int_equal(pctx_run(pctx, 1, 1, stop_once), 0);
	assert_int_equal(c.at_end, 1);
	kill(pctx_pid(pctx), SIGKILL);
	pctx_kill(pctx);
	stopcount_drop(c.stops);
	assert_null(lwp_stopcount(NULL, 1));
	assert_int_equal(errno, ESRCH);
}

/* A group stop is one of the program's own; later stops in it are not. */
static void leaves_group_stops_out(void **state)
{
	pctx_t *pctx = create("parked", NULL);

	(void)state;
	assert_non_null(pctx);
	struct stopcount *s = lwp_stopcount(pctx, 1);
	assert_non_null(s);
	stopcount_add(s, 0, SIGSTOP); /* the delivery of the signal */
	assert_int_equal(stopcount_read(s), 1);
	stopcount_add(s, PTRACE_EVENT_STOP, SIGSTOP);
	assert_int_equal(stopcount_read(s), 1);
	stopcount_add(s, PTRACE_EVENT_STOP, SIGSTOP);
	assert_int_equal(stopcount_read(s), 2);
	stopcount_add(s, PTRACE_EVENT_STOP, SIGTRAP); /* SIGCONT has ended it */
	stopcount_add(s, 0, SIGCONT);
	assert_int_equal(stopcount_read(s), 4);
	stopcount_add(s, PTRACE_EVENT_STOP, SIGSTOP);
	assert_int_equal(stopcount_read(s), 4);
	stopcount_add(NULL, 0, SIGSTOP);
	stopcount_drop(NULL);
	stopcount_drop(s);
	pctx_kill(pctx);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(counts_stops, nothing_left),
		cmocka_unit_test_teardown(counts_pending_stops, nothing_left),
		cmocka_unit_test_teardown(leaves_group_stops_out, nothing_left),
	};

	prepare(argc, argv);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
