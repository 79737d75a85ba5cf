/*
 * Sets whose requests take turns (CPC_SET_MULTIPLEX). On a machine with hardware counters
 * the last test counts more events than there are counters.
 */
#include <libpctx.h>
#include <opencpc.h>

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "breakpoints.h"
#include "fake_engine.h"
#include "reported.h"

enum { USER = CPC_COUNT_USER, SYS = CPC_COUNT_SYSTEM, MOST = 6 };

struct wanted {
	const char *event;
	int picnum; /* -1: none */
	unsigned flags;
};

static const struct {
	int line;
	const char *cpu;
	struct wanted request[MOST];
	const char *turns; /* of each request a digit; NULL: the bind fails */
} cases[] = {
	/* Each event of the R10000 is on one of two counters. */
	{__LINE__, "r10000", {{"0", -1, USER}, {"16", -1, USER}}, "00"},
	{__LINE__,
	 "r10000",
	 {{"0", -1, USER}, {"15", -1, USER}, {"16", -1, USER}, {"17", -1, USER}},
	 "0101"},
	{__LINE__, "r10000", {{"1", -1, USER}, {"2", -1, USER}, {"3", -1, SYS}}, "012"},
	/* All requests of a turn have the same modes on an UltraSPARC. */
	{__LINE__,
	 "us3",
	 {{"Cycle_cnt", -1, USER}, {"Instr_cnt", -1, SYS}, {"DC_rd", -1, SYS}},
	 "011"},
	/* The first two can exchange their counters for the third. */
	{__LINE__,
	 "us3",
	 {{"Cycle_cnt", -1, USER}, {"DC_rd", -1, USER}, {"Instr_cnt", -1, USER}},
	 "001"},
	/* The ESCRs of a Pentium 4 are limits too. */
	{__LINE__,
	 "p4",
	 {{"tc_ms_xfer", -1, USER},
	  {"x87_assist", -1, USER},
	  {"PAPI_br_ins", -1, USER},
	  {"machine_clear", -1, USER}},
	 "0001"},
	/* This machine has as many counters as a set has requests. */
	{__LINE__, NULL, {{"own_alpha", -1, USER}, {"own_beta", -1, USER}}, "00"},
	{__LINE__, NULL, {{"own_alpha", 0, USER}, {"own_beta", 0, USER}}, "01"},
	{__LINE__,
	 NULL,
	 {{"own_alpha", -1, USER},
	  {"own_alpha", -1, USER},
	  {"own_beta", -1, USER},
	  {"own_alpha", -1, USER},
	  {"own_beta", -1, USER}},
	 NULL},
};

static cpc_set_t *make_set(cpc_t *cpc, const struct wanted *w, size_t n)
{
	cpc_set_t *set = cpc_set_create(cpc);

	for (size_t i = 0; i < n && w[i].event; i++) {
		cpc_attr_t attr = {(char *)"picnum", (uint64_t)w[i].picnum};

		if (cpc_set_add_request(cpc, set, w[i].event, 0, w[i].flags,
					w[i].picnum >= 0, &attr) == -1)
			fail_msg("%s: %s", w[i].event, reported.text);
	}
	return set;
}

/* Returns 1 if two requests of a turn have the same counter. */
static int shares_counter(const cpc_set_t *set)
{
	const struct requests *r = set->reqs;

	for (unsigned i = 0; i < r->n; i++)
		for (unsigned k = 0; k < i; k++)
			if (r->turn[i] == r->turn[k] && r->req[i].pic == r->req[k].pic)
				return 1;
	return 0;
}

static void requests_get_turns(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		cpc_t *cpc = fake_session(cases[i].cpu);
		cpc_seterrhndlr(cpc, remember);
		cpc_set_t *set = make_set(cpc, cases[i].request, MOST);
		const char *turns = cases[i].turns;
		const int many = !turns || strpbrk(turns, "12");

		/* Without the flag, requests for which there are no counters fail. */
		if (cpc_bind_curlwp(cpc, set, 0) != (many ? -1 : 0))
			fail_msg("line %d: no flag: %s", cases[i].line, reported.text);
		if (!many)
			cpc_unbind(cpc, set);
		assert_int_equal(cpc_set_flags(cpc, set, CPC_SET_MULTIPLEX), 0);
		if (cpc_bind_curlwp(cpc, set, 0) != (turns ? 0 : -1))
			fail_msg("line %d: %s", cases[i].line, reported.text);
		if (turns && (fake.has_turns != many || shares_counter(set)))
			fail_msg("line %d: %d", cases[i].line, fake.has_turns);
		for (unsigned k = 0; turns && many && k < strlen(turns); k++)
			if (fake.turn[k] != turns[k] - '0')
				fail_msg("line %d: request %u has turn %u", cases[i].line,
					 k, fake.turn[k]);
		if (turns)
			assert_int_equal(cpc_unbind(cpc, set), 0);
		/* As before. */
		assert_int_equal(cpc_set_flags(cpc, set, 0), 0);
		assert_int_equal(cpc_bind_curlwp(cpc, set, 0), many ? -1 : 0);
		cpc_close(cpc);
		assert_int_equal(fake.evsels, 0);
		assert_int_equal(fake.groups, 0);
	}
}

static void flags_are_checked(void **state)
{
	const struct wanted w[] = {{"own_alpha", -1, USER}};
	cpc_t *cpc = fake_session(NULL), *other = cpc_open(CPC_VER_CURRENT);
	cpc_set_t *set = make_set(cpc, w, 1), *empty = cpc_set_create(cpc);

	(void)state;
	cpc_seterrhndlr(cpc, remember);
	FAILS(cpc_set_flags(NULL, set, 0), EINVAL);
	FAILS(cpc_set_flags(cpc, NULL, 0), EINVAL);
	FAILS(cpc_set_flags(other, set, 0), EINVAL);
	FAILS(cpc_set_flags(cpc, set, 2), EINVAL);
	FAILS(cpc_set_flags(cpc, set, 2 | CPC_SET_MULTIPLEX), EINVAL);
	assert_int_equal(cpc_set_flags(cpc, empty, CPC_SET_MULTIPLEX), 0);
	FAILS(cpc_bind_curlwp(cpc, empty, 0), EINVAL);
	assert_int_equal(cpc_set_flags(cpc, set, CPC_SET_MULTIPLEX), 0);
	cpc_set_t *dup = cpc_set_dup(cpc, set);
	FAILS(cpc_set_flags(cpc, set, 0), EINVAL);
	FAILS(cpc_set_flags(cpc, dup, 0), EINVAL);
	cpc_set_destroy(cpc, dup);
	assert_int_equal(cpc_bind_curlwp(cpc, set, 0), 0);
	FAILS(cpc_set_flags(cpc, set, 0), EINVAL);
	cpc_set_destroy(cpc, set);
	FAILS(cpc_set_flags(cpc, set, 0), EINVAL);
	cpc_close(other);
	cpc_close(cpc);
}

static void refuses_signals(void **state)
{
	const struct wanted w[] = {{"task-clock", -1, USER | CPC_OVF_NOTIFY_EMT}};
	cpc_t *cpc = cpc_open_cpu(CPC_VER_CURRENT, NULL, "kernel");
	cpc_set_t *set = make_set(cpc, w, 1);

	(void)state;
	cpc_seterrhndlr(cpc, remember);
	assert_int_equal(cpc_set_flags(cpc, set, CPC_SET_MULTIPLEX), 0);
	FAILS(cpc_bind_curlwp(cpc, set, 0), ENOTSUP);
	assert_string_equal(reported.text,
			    "Invalid flags in a request: task-clock: a set with "
			    "CPC_SET_MULTIPLEX does not signal overflow or take records, "
			    "since its requests take turns");
	FAILS(cpc_bind_curlwp(cpc, set, CPC_BIND_LWP_INHERIT), ENOTSUP);
	FAILS(cpc_bind_child(cpc, getpid(), set, 0), ENOTSUP);
	FAILS(cpc_bind_cpu(cpc, 0, set, CPC_FLAGS_REMOTE), ENOTSUP);
	assert_int_equal(cpc_set_flags(cpc, set, 0), 0);
	assert_int_equal(cpc_bind_curlwp(cpc, set, 0), 0);
	cpc_close(cpc);
}

/* The software events of the kernel, which need no counters, are all counted always. */
static const struct wanted same_place[] = {{"page-faults", 0, USER | SYS},
					   {"task-clock", 0, USER | SYS},
					   {"page-faults", 0, USER | SYS}};

static void samples_are_exact(cpc_t *cpc, cpc_set_t *set)
{
	cpc_buf_t *buf = cpc_buf_create(cpc, set);
	cpc_value_t v[3];

	assert_int_equal(cpc_set_sample(cpc, set, buf), 0);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(cpc_buf_value(cpc, buf, i, &v[i]), 0);
		assert_int_equal(v[i].running, v[i].enabled);
		assert_int_equal(v[i].quality, CPC_EXACT);
	}
	assert_int_equal(v[0].value, v[2].value);
	cpc_buf_destroy(cpc, buf);
}

static void counts_by_each_bind(void **state)
{
	cpc_t *cpc = cpc_open_cpu(CPC_VER_CURRENT, NULL, "kernel");
	cpc_set_t *set = make_set(cpc, same_place, 3);
	const uint_t flags[] = {0, CPC_BIND_TREE};
	int status;

	(void)state;
	cpc_seterrhndlr(cpc, remember);
	FAILS(cpc_bind_curlwp(cpc, set, 0), EINVAL);
	assert_int_equal(cpc_set_flags(cpc, set, CPC_SET_MULTIPLEX), 0);
	for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
		assert_int_equal(cpc_bind_curlwp(cpc, set, flags[i]), 0);
		samples_are_exact(cpc, set);
		const pid_t pid = fork();
		if (pid == 0)
			pause(), _exit(0);
		assert_int_equal(cpc_bind_child(cpc, pid, set, flags[i]), 0);
		kill(pid, SIGKILL);
		waitpid(pid, &status, 0);
		samples_are_exact(cpc, set);
	}
	if (cpc_bind_cpu(cpc, 0, set, CPC_FLAGS_REMOTE) == 0)
		samples_are_exact(cpc, set);
	else
		assert_int_equal(errno, EACCES);
	cpc_close(cpc);
}

__attribute__((noinline, aligned(64))) static void hit(void)
{
	__asm__ volatile("" ::: "memory");
}

/* A session with a set whose two requests take turns. */
struct turns {
	cpc_t *cpc;
	cpc_set_t *set;
	unsigned samples;
};

/* Samples both values, which are the same and were counted all the time. */
static uint64_t sample_both(struct turns *t)
{
	cpc_buf_t *buf = cpc_buf_create(t->cpc, t->set);
	cpc_value_t v[2];

	assert_int_equal(cpc_set_sample(t->cpc, t->set, buf), 0);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(cpc_buf_value(t->cpc, buf, i, &v[i]), 0);
		assert_int_equal(v[i].quality, CPC_EXACT);
	}
	assert_int_equal(v[0].value, v[1].value);
	cpc_buf_destroy(t->cpc, buf);
	t->samples++;
	return v[0].value;
}

static void *heir(void *arg)
{
	for (int i = 0; i < 7; i++)
		hit();
	assert_int_equal(sample_both(arg), 7);
	return NULL;
}

static struct turns begin_turns(const char *event)
{
	const struct wanted both[] = {{event, 0, USER}, {event, 0, USER}};
	struct turns t = {.cpc = cpc_open_cpu(CPC_VER_CURRENT, NULL, "kernel")};

	cpc_seterrhndlr(t.cpc, remember);
	t.set = make_set(t.cpc, both, 2);
	assert_int_equal(cpc_set_flags(t.cpc, t.set, CPC_SET_MULTIPLEX), 0);
	return t;
}

static void heirs_count_by_turns(void **state)
{
	pthread_t thread;
	char event[64];

	(void)state;
	need_breakpoints();
	snprintf(event, sizeof event, "mem:%p:x", (void *)hit);
	struct turns t = begin_turns(event);
	assert_int_equal(cpc_bind_curlwp(t.cpc, t.set, CPC_BIND_LWP_INHERIT), 0);
	hit();
	assert_int_equal(pthread_create(&thread, NULL, heir, &t), 0);
	pthread_join(thread, NULL);
	assert_int_equal(sample_both(&t), 1);
	assert_int_equal(t.samples, 2);
	cpc_close(t.cpc);
}

static int bind_at_start(pctx_t *pctx, pid_t pid, id_t lwp, void *arg)
{
	struct turns *t = arg;

	(void)pid;
	return cpc_bind_pctx(t->cpc, pctx, lwp, t->set, 0);
}

static int sample_at_end(pctx_t *pctx, pid_t pid, id_t lwp, void *arg)
{
	(void)pctx, (void)pid, (void)lwp;
	assert_true(sample_both(arg) > 0);
	return 0;
}

static int no_tick(pctx_t *pctx, pid_t pid, id_t lwp, void *arg)
{
	(void)pctx, (void)pid, (void)lwp, (void)arg;
	return 0;
}

static void controlled_programs_count_by_turns(void **state)
{
	char *const argv[] = {(char[]){"/bin/true"}, NULL};
	struct turns t = begin_turns("page-faults");
	pctx_t *pctx = pctx_create(argv[0], argv, &t, 0, NULL);

	(void)state;
	assert_non_null(pctx);
	assert_int_equal(pctx_set_events(pctx, PCTX_INIT_LWP_EVENT, bind_at_start,
					 PCTX_FINI_LWP_EVENT, sample_at_end,
					 PCTX_NULL_EVENT),
			 0);
	assert_int_equal(pctx_run(pctx, 0, 0, no_tick), 0);
	assert_int_equal(t.samples, 1);
	pctx_release(pctx);
	cpc_close(t.cpc);
}

/* More events than processors have counters, beside a software event. */
static void rotates_hardware_counters(void **state)
{
	enum { N = 40 };
	cpc_t *cpc = cpc_open_cpu(CPC_VER_CURRENT, NULL, "kernel");
	cpc_set_t *set = cpc_set_create(cpc);
	cpc_attr_t even = {(char *)"picnum", 0};
	unsigned scaled = 0, counted = 0;
	cpc_value_t v, clock;

	(void)state;
	cpc_seterrhndlr(cpc, remember);
	cpc_set_flags(cpc, set, CPC_SET_MULTIPLEX);
	for (unsigned i = 0; i < N; i++) {
		/* Two events are counted at the same time. */
		even.ca_val = i % 2;
		if (cpc_set_add_request(cpc, set, "instructions", 0, USER, 1, &even) ==
		    -1) {
			print_message("no hardware counters\n");
			cpc_close(cpc);
			skip();
		}
	}
	cpc_set_add_request(cpc, set, "task-clock", 0, USER, 0, NULL);
	cpc_buf_t *buf = cpc_buf_create(cpc, set);
	assert_int_equal(cpc_bind_curlwp(cpc, set, 0), 0);
	/* Turns last some ms; the loop ends when each has counted. */
	for (unsigned long rounds = 0; counted < N && rounds < 4000; rounds++) {
		for (volatile unsigned i = 0; i < 1000000; i++)
			;
		assert_int_equal(cpc_set_sample(cpc, set, buf), 0);
		for (counted = scaled = 0; counted < N; counted++) {
			cpc_buf_value(cpc, buf, (int)counted, &v);
			if (v.quality == CPC_UNAVAILABLE)
				break;
			scaled += v.quality == CPC_SCALED && v.running < v.enabled &&
				  v.value >= v.count;
		}
	}
	assert_int_equal(counted, N);
	/* Turns alternate, so at least all but one of the first are scaled. */
	assert_true(scaled >= N / 2);
	cpc_buf_value(cpc, buf, N, &clock);
	assert_int_equal(clock.quality, CPC_EXACT);
	for (int i = 0; i < N; i += 2) {
		cpc_value_t pair;

		cpc_buf_value(cpc, buf, i, &v);
		cpc_buf_value(cpc, buf, i + 1, &pair);
		/* The two events of a turn are counted at the same time. */
		assert_int_equal(v.running, pair.running);
		assert_int_equal(v.count, pair.count);
	}
	cpc_close(cpc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(requests_get_turns),
		cmocka_unit_test(flags_are_checked),
		cmocka_unit_test(refuses_signals),
		cmocka_unit_test(counts_by_each_bind),
		cmocka_unit_test(heirs_count_by_turns),
		cmocka_unit_test(controlled_programs_count_by_turns),
		cmocka_unit_test(rotates_hardware_counters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
