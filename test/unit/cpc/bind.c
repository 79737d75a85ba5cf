/*
 * One set that several LWPs of this process have bound: each LWP has counters of its own,
 * and what one LWP does leaves those of the others alone.
 */
#include <libcpc.h>

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "breakpoints.h"
#include "reported.h"

enum { USER = CPC_COUNT_USER, MAX_LWPS = 100 };

static cpc_t *cpc;
static cpc_set_t *set;
static cpc_buf_t *buf;

/* The function whose executions are counted. */
__attribute__((noinline, aligned(64))) static void hit(void)
{
	__asm__ volatile("" ::: "memory");
}

static void hits(unsigned n)
{
	while (n--)
		hit();
}

/* An LWP that does one job after another, as the test tells it. */
struct lwp {
	pthread_t thread;
	sem_t go, done;
	uint64_t (*job)(struct lwp *lwp); /* NULL: the LWP ends */
	unsigned number;
	uint64_t result;
	cpc_buf_t *buf;
};

static struct lwp lwps[MAX_LWPS];
static unsigned nlwps;

static void *live(void *arg)
{
	struct lwp *lwp = arg;

	for (;;) {
		sem_wait(&lwp->go);
		if (!lwp->job)
			return NULL;
		lwp->result = lwp->job(lwp);
		sem_post(&lwp->done);
	}
}

static void start_lwp(void)
{
	struct lwp *lwp = &lwps[nlwps];

	*lwp = (struct lwp){.number = nlwps, .buf = cpc_buf_create(cpc, set)};
	assert_non_null(lwp->buf);
	sem_init(&lwp->go, 0, 0);
	sem_init(&lwp->done, 0, 0);
	assert_int_equal(pthread_create(&lwp->thread, NULL, live, lwp), 0);
	nlwps++;
}

/* Let one LWP do a job; returns its result. */
static uint64_t one(unsigned i, uint64_t (*job)(struct lwp *lwp))
{
	lwps[i].job = job;
	sem_post(&lwps[i].go);
	sem_wait(&lwps[i].done);
	return lwps[i].result;
}

/* Let all LWPs do a job at once. */
static void all(uint64_t (*job)(struct lwp *lwp))
{
	for (unsigned i = 0; i < nlwps; i++) {
		lwps[i].job = job;
		sem_post(&lwps[i].go);
	}
	for (unsigned i = 0; i < nlwps; i++)
		sem_wait(&lwps[i].done);
}

static void end_lwp(unsigned i)
{
	lwps[i].job = NULL;
	sem_post(&lwps[i].go);
	pthread_join(lwps[i].thread, NULL);
}

/* The jobs return 0, an errno, or a value. */
static uint64_t bind(struct lwp *lwp)
{
	(void)lwp;
	return cpc_bind_curlwp(cpc, set, 0) ? (uint64_t)errno : 0;
}

static uint64_t bind_for_heirs(struct lwp *lwp)
{
	(void)lwp;
	return cpc_bind_curlwp(cpc, set, CPC_BIND_LWP_INHERIT) ? (uint64_t)errno : 0;
}

static uint64_t unbind(struct lwp *lwp)
{
	(void)lwp;
	return cpc_unbind(cpc, set) ? (uint64_t)errno : 0;
}

static uint64_t sample(struct lwp *lwp)
{
	return cpc_set_sample(cpc, set, lwp->buf) ? (uint64_t)errno : 0;
}

static uint64_t restart(struct lwp *lwp)
{
	(void)lwp;
	return cpc_set_restart(cpc, set) ? (uint64_t)errno : 0;
}

static uint64_t disable(struct lwp *lwp)
{
	(void)lwp;
	return cpc_disable(cpc) ? (uint64_t)errno : 0;
}

static unsigned hits_of(const struct lwp *lwp)
{
	return 10 + 7 * lwp->number;
}

/* Hits the event a number of times that depends on the LWP, and counts it. */
static uint64_t count(struct lwp *lwp)
{
	uint64_t val = 0;

	hits(hits_of(lwp));
	if (cpc_set_sample(cpc, set, lwp->buf) == 0)
		cpc_buf_get(cpc, lwp->buf, 0, &val);
	return val;
}

static void quiet(const char *fn, int subcode, const char *fmt, va_list ap)
{
	(void)fn, (void)subcode, (void)fmt, (void)ap;
}

static int begin(void **state)
{
	(void)state;
	nlwps = 0;
	cpc = cpc_open(CPC_VER_CURRENT);
	if (!cpc)
		return -1;
	cpc_seterrhndlr(cpc, quiet);
	set = cpc_set_create(cpc);
	return set ? 0 : -1;
}

static int end(void **state)
{
	(void)state;
	while (nlwps)
		end_lwp(--nlwps);
	return cpc_close(cpc);
}

/* Make the set one that counts page faults, and n LWPs. */
static void prepare(unsigned n)
{
	assert_int_equal(cpc_set_add_request(cpc, set, "page-faults", 0, USER, 0, NULL),
			 0);
	buf = cpc_buf_create(cpc, set);
	assert_non_null(buf);
	while (n--)
		start_lwp();
}

static void each_counts_for_itself(unsigned n)
{
	char event[40];
	uint64_t sum = 0, expected = 0;

	need_breakpoints();
	snprintf(event, sizeof event, "mem:%p:x", (void *)hit);
	assert_int_equal(cpc_set_add_request(cpc, set, event, 0, USER, 0, NULL), 0);
	while (nlwps < n)
		start_lwp();
	all(bind);
	for (unsigned i = 0; i < n; i++)
		assert_int_equal(lwps[i].result, 0);
	all(count);
	for (unsigned i = 0; i < n; i++) {
		assert_int_equal(lwps[i].result, hits_of(&lwps[i]));
		sum += lwps[i].result;
		expected += hits_of(&lwps[i]);
	}
	assert_int_equal(sum, expected);
}

static void four_lwps_count_one_set(void **state)
{
	(void)state;
	each_counts_for_itself(4);
}

static void hundred_lwps_count_one_set(void **state)
{
	(void)state;
	each_counts_for_itself(MAX_LWPS);
}

static void an_unbind_leaves_other_lwps(void **state)
{
	(void)state;
	prepare(3);
	all(bind);
	assert_int_equal(one(0, unbind), 0);
	assert_int_equal(one(0, sample), EINVAL);
	assert_int_equal(one(0, disable), EINVAL);
	assert_int_equal(one(1, sample), 0);
	assert_int_equal(one(2, sample), 0);
	assert_int_equal(one(0, bind), 0);
	assert_int_equal(one(1, unbind), 0);
	assert_int_equal(one(0, sample), 0);
	assert_int_equal(one(2, sample), 0);
}

/* This LWP has not bound the set. */
static void any_lwp_can_unbind_all(void **state)
{
	(void)state;
	prepare(3);
	all(bind);
	FAILS(cpc_set_sample(cpc, set, buf), EINVAL);
	FAILS(cpc_set_restart(cpc, set), EINVAL);
	assert_int_equal(cpc_unbind(cpc, set), 0);
	FAILS(cpc_unbind(cpc, set), EINVAL);
	for (unsigned i = 0; i < 3; i++) {
		assert_int_equal(one(i, sample), EINVAL);
		assert_int_equal(one(i, restart), EINVAL);
	}
}

static void states_belong_to_lwps(void **state)
{
	(void)state;
	prepare(2);
	all(bind);
	assert_int_equal(one(0, disable), 0);
	assert_int_equal(one(0, disable), EINVAL);
	assert_int_equal(one(1, disable), 0);
	assert_int_equal(one(0, restart), 0);
	assert_int_equal(one(1, disable), EINVAL);
	assert_int_equal(one(0, disable), 0);
}

static int add(void)
{
	return cpc_set_add_request(cpc, set, "page-faults", 0, USER, 0, NULL);
}

/* The end of an LWP unbinds its set as cpc_unbind() does, in whatever order both come. */
static void the_set_changes_when_no_lwp_has_it(void **state)
{
	(void)state;
	prepare(2);
	all(bind);
	FAILS(add(), EINVAL);
	assert_int_equal(one(0, unbind), 0);
	FAILS(add(), EINVAL);
	end_lwp(1);
	nlwps = 1;
	assert_int_equal(add(), 1);
	FAILS(cpc_unbind(cpc, set), EINVAL);
	assert_int_equal(one(0, bind), 0);
	FAILS(add(), EINVAL);
	assert_int_equal(one(0, unbind), 0);
	assert_int_equal(add(), 2);
}

static void a_set_of_many_lwps_is_destroyed(void **state)
{
	(void)state;
	prepare(3);
	all(bind);
	assert_int_equal(cpc_set_destroy(cpc, set), 0);
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(one(i, disable), EINVAL);
	set = cpc_set_create(cpc);
	assert_int_equal(add(), 0);
	all(bind);
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(one(i, sample), 0);
}

/*
 * A CPU or an LWP of another process is not shared: the LWPs of this process lose the
 * set.
 */
static void a_bind_elsewhere_takes_the_set(void **state)
{
	int hold[2];
	char c;

	(void)state;
	prepare(2);
	all(bind);
	assert_int_equal(pipe(hold), 0);
	const pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		close(hold[1]);
		_exit(read(hold[0], &c, 1) != 0);
	}
	assert_int_equal(cpc_bind_child(cpc, pid, set, 0), 0);
	assert_int_equal(one(0, disable), EINVAL);
	assert_int_equal(one(1, disable), EINVAL);
	assert_int_equal(cpc_set_sample(cpc, set, buf), 0);
	/* An LWP that binds the set takes it back. */
	assert_int_equal(one(0, bind), 0);
	assert_int_equal(one(1, bind), 0);
	FAILS(cpc_set_sample(cpc, set, buf), EINVAL);
	assert_int_equal(one(0, sample), 0);
	assert_int_equal(one(1, sample), 0);
	close(hold[0]);
	close(hold[1]);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static uint64_t start_heir(struct lwp *lwp)
{
	(void)lwp;
	start_lwp();
	return 0;
}

static void an_unbind_takes_what_its_heirs_have(void **state)
{
	enum { FIRST, SECOND, HEIR_OF_FIRST, HEIR_OF_SECOND };

	(void)state;
	prepare(2);
	all(bind_for_heirs);
	if (lwps[FIRST].result == ENOTSUP) {
		print_message("a sanitizer has its own pthread_create\n");
		skip();
	}
	one(FIRST, start_heir);
	one(SECOND, start_heir);
	assert_int_equal(one(HEIR_OF_FIRST, sample), 0);
	assert_int_equal(one(FIRST, unbind), 0);
	assert_int_equal(one(HEIR_OF_FIRST, sample), EINVAL);
	assert_int_equal(one(SECOND, sample), 0);
	assert_int_equal(one(HEIR_OF_SECOND, sample), 0);
	/* An heir unbinds only itself. */
	assert_int_equal(one(HEIR_OF_SECOND, unbind), 0);
	assert_int_equal(one(HEIR_OF_SECOND, sample), EINVAL);
	assert_int_equal(one(SECOND, sample), 0);
}

/*
 * A child of fork(2) has one LWP: the set is not bound to the other LWPs of its parent.
 */
static void a_child_binds_a_set_of_many_lwps(void **state)
{
	int status;

	(void)state;
	prepare(3);
	all(bind);
	const pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		int bad = cpc_bind_curlwp(cpc, set, 0) != 0;
		bad |= (cpc_set_sample(cpc, set, buf) != 0) << 1;
		bad |= (cpc_unbind(cpc, set) != 0) << 2;
		bad |= (add() != 1) << 3;
		_exit(bad);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(one(i, sample), 0);
}

/* No event is accepted first, and then refused because the machine does not have it. */
static void missing_events_are_refused_when_added(void **state)
{
	static const char *const events[] = {"instructions",	"cycles",
					     "cache-misses",	"0x3c",
					     "cpu/event=0x3c/", "PAPI_tot_ins"};

	(void)state;
	cpc_seterrhndlr(cpc, remember);
	for (size_t i = 0; i < sizeof events / sizeof events[0]; i++) {
		cpc_set_t *one_event = cpc_set_create(cpc);
		const int added =
			cpc_set_add_request(cpc, one_event, events[i], 0, USER, 0, NULL);

		if (added == -1 && errno == ENOENT) {
			assert_string_equal(reported.fn, "cpc_set_add_request");
			assert_int_equal(reported.subcode, CPC_REFUSED);
		} else if (added == 0 && cpc_bind_curlwp(cpc, one_event, 0) == -1 &&
			   errno == ENOENT) {
			fail_msg("%s: %s", events[i], reported.text);
		}
	}
}

static void *make_hits(void *n)
{
	hits((unsigned)(uintptr_t)n);
	return NULL;
}

/* All that the LWP starts counts with it, if the set neither signals nor inherits. */
static void a_tree_counts_as_one(void **state)
{
	char event[64];
	pthread_t thread;
	uint64_t n;

	(void)state;
	need_breakpoints();
	snprintf(event, sizeof event, "mem:%#lx:x", (unsigned long)hit);
	assert_int_equal(cpc_set_add_request(cpc, set, event, 0, USER, 0, NULL), 0);
	assert_int_equal(cpc_bind_curlwp(cpc, set, CPC_BIND_TREE | CPC_BIND_LWP_INHERIT),
			 -1);
	assert_int_equal(errno, EINVAL);
	if (cpc_bind_curlwp(cpc, set, CPC_BIND_TREE) == -1)
		skip();
	hits(3);
	assert_int_equal(pthread_create(&thread, NULL, make_hits, (void *)50), 0);
	pthread_join(thread, NULL);
	const pid_t child = fork();
	if (child == 0) {
		hits(700);
		_exit(0);
	}
	assert_int_equal(waitpid(child, NULL, 0), child);
	buf = cpc_buf_create(cpc, set);
	assert_int_equal(cpc_set_sample(cpc, set, buf), 0);
	assert_int_equal(cpc_buf_get(cpc, buf, 0, &n), 0);
	assert_int_equal(n, 753);
	cpc_set_t *signals = cpc_set_create(cpc);
	assert_int_equal(cpc_set_add_request(cpc, signals, "page-faults", 0,
					     USER | CPC_OVF_NOTIFY_EMT, 0, NULL),
			 0);
	assert_int_equal(cpc_bind_curlwp(cpc, signals, CPC_BIND_TREE), -1);
	assert_int_equal(errno, ENOTSUP);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(four_lwps_count_one_set),
		TEST(hundred_lwps_count_one_set),
		TEST(an_unbind_leaves_other_lwps),
		TEST(any_lwp_can_unbind_all),
		TEST(states_belong_to_lwps),
		TEST(the_set_changes_when_no_lwp_has_it),
		TEST(a_set_of_many_lwps_is_destroyed),
		TEST(a_bind_elsewhere_takes_the_set),
		TEST(an_unbind_takes_what_its_heirs_have),
		TEST(a_child_binds_a_set_of_many_lwps),
		TEST(a_tree_counts_as_one),
		TEST(missing_events_are_refused_when_added),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
