/*
 * Regions of a thread while allocations and calls of the kernel fail: each failure has
 * the errno of the call, the open regions stay as they are, and nothing is left open.
 */
#include <opencpc.h>

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "base/lock.h"
#include "failing.h"
#include "region/format.h"
#include "region/summary.h"
#include "region/thread.h"
#include "reported.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* A thread with regions that count page faults. */
struct user {
	struct region_events events;
	struct region_thread *thread;
};

static int begin(struct user *u)
{
	struct region_events *e = &u->events;

	memset(&reported, 0, sizeof reported);
	*u = (struct user){.events.n = 1};
	e->cpc = cpc_open(CPC_VER_CURRENT);
	if (!e->cpc)
		return -1;
	cpc_seterrhndlr(e->cpc, remember);
	e->set = cpc_set_create(e->cpc);
	if (!e->set || cpc_set_add_request(e->cpc, e->set, "page-faults", 0,
					   CPC_COUNT_USER, 0, NULL) == -1)
		return -1;
	u->thread = region_thread_new(e);
	return u->thread ? 0 : -1;
}

static int end(struct user *u, int rc, char *words, size_t size)
{
	const int err = errno;

	snprintf(words, size, "%s", reported.calls ? reported.text : "(errno alone)");
	if (u->thread)
		region_thread_stop(u->thread);
	region_thread_free(u->thread);
	for (unsigned i = 0; i < u->events.names.n; i++)
		free(u->events.names.name[i]);
	free(u->events.names.name);
	cpc_close(u->events.cpc);
	errno = err;
	return rc;
}

/* A region in another one; the inner one may be left out. */
static int nest(struct region_thread *t)
{
	if (region_thread_begin(t, "outer") == -1)
		return -1;
	const int inner = region_thread_begin(t, "inner");
	const int err = errno;
	if (inner == 0 && region_thread_end(t, "inner") == -1)
		return -1;
	if (region_thread_end(t, "outer") == -1)
		return -1;
	assert_ptr_equal(t->last, t->outside);
	errno = err;
	return inner;
}

static int counts(char *words, size_t size)
{
	struct user u;

	return end(&u, begin(&u) || nest(u.thread) ? -1 : 0, words, size);
}

static int begins_again(char *words, size_t size)
{
	struct user u;

	return end(&u,
		   begin(&u) || nest(u.thread) || region_thread_restart(u.thread) ? -1
										  : 0,
		   words, size);
}

/* Sums up the region that began first, and writes it in both formats. */
static int format(const struct user *u)
{
	struct ring threads;
	struct textbuf b = {0};

	ring_init(&threads);
	ring_add(&threads, &u->thread->link);
	struct region_summary *s =
		region_summary_new(&u->events, &threads, u->events.names.name[0]);
	ring_drop(&u->thread->link);
	if (!s)
		return -1;
	const struct region_process p = {.command = "program",
					 .host = "host",
					 .events = &u->events,
					 .n = 1,
					 .summary = &s};
	region_format_table(&b, &p);
	region_format_json(&b, &p);
	char *text = textbuf_end(&b);
	free(text);
	free(s);
	return text ? 0 : -1;
}

static int is_reported(char *words, size_t size)
{
	struct user u;

	return end(&u, begin(&u) || nest(u.thread) || format(&u) ? -1 : 0, words, size);
}

static const struct act acts[] = {
	{.name = "counts", .run = counts},
	{.name = "begins again", .run = begins_again},
	{.name = "is reported", .run = is_reported},
};

static const struct failure failures[] = {
	{"memory", ENOMEM},
	{"perf_event_open", EMFILE},
	{"perf_event_open", EACCES},
	{"read", EIO},
};

static void reports_each_failure(void **state)
{
	failing_each(*state, failures, COUNT(failures));
}

int main(void)
{
	struct CMUnitTest tests[COUNT(acts)];

	if (lock_prepare())
		return 1;
	for (size_t i = 0; i < COUNT(acts); i++)
		tests[i] = (struct CMUnitTest){.name = acts[i].name,
					       .test_func = reports_each_failure,
					       .initial_state = (void *)&acts[i]};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
