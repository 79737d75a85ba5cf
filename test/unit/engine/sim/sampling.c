/*
 * A simulated program that takes records of itself. The linker replaces the requests to
 * the simulator by the functions of this file (--wrap), which answer as the simulator
 * does.
 */
#include "engine/sim/sampling.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/clock.h"
#include "engine/machine.h"
#include "engine/sim/inside.h"
#include "sim_counters.h"

enum { ID = 5, ROOM = 40 };

/* The simulator: its only sample has id ID, and has these records. */
static struct {
	int is_open, is_paused;
	int has_room; /* for one more sample */
	uint64_t counter, period;
	unsigned n, next, lost;
	struct sim_record record[ROOM];
	unsigned requests;
} sim;

int __wrap_sim_inside(void);
uint64_t __wrap_sim_inside_send(enum sim_request request, uint64_t a, uint64_t b,
				uint64_t c);

int __wrap_sim_inside(void)
{
	return 1;
}

static uint64_t open_sample(uint64_t counter, uint64_t period)
{
	if (!sim.has_room)
		return 0;
	sim.is_open = 1;
	sim.counter = counter;
	sim.period = period;
	return ID;
}

static uint64_t read_sample(struct sim_record *to, uint64_t max)
{
	uint64_t n = 0;

	while (n < max && sim.next < sim.n)
		to[n++] = sim.record[sim.next++];
	return n + 1;
}

uint64_t __wrap_sim_inside_send(enum sim_request request, uint64_t a, uint64_t b,
				uint64_t c)
{
	sim.requests++;
	if (request == SIM_REQUEST_SAMPLE_OPEN)
		return open_sample(a, b);
	if (a != ID || !sim.is_open)
		return 0;
	switch (request) {
	case SIM_REQUEST_SAMPLE_READ:
		return read_sample((struct sim_record *)(uintptr_t)b, c);
	case SIM_REQUEST_SAMPLE_LOST:
		return sim.lost + 1;
	case SIM_REQUEST_SAMPLE_PERIOD:
		sim.period = b;
		return b != 0;
	case SIM_REQUEST_SAMPLE_PAUSE:
	case SIM_REQUEST_SAMPLE_RESUME:
		sim.is_paused = request == SIM_REQUEST_SAMPLE_PAUSE;
		return 1;
	case SIM_REQUEST_SAMPLE_CLOSE:
		sim.is_open = 0;
		return 1;
	default:
		return 0;
	}
}

/* A session of a simulated program. */
static struct engine *e;
static struct why why;

static int open_session(void **arg)
{
	(void)arg;
	memset(&sim, 0, sizeof sim);
	sim.has_room = 1;
	e = engine_sim.open(&why);
	return !e;
}

static int close_session(void **arg)
{
	(void)arg;
	engine_sim.close(e);
	return sim.is_open;
}

static struct evsel *encode(const char *name)
{
	const struct engine_request req = {.name = name, .flags = CPC_COUNT_USER};
	struct evsel *s = engine_sim.records->encode(e, &req, 0, &why);

	if (!s)
		fail_msg("%s: %s", name, why.text);
	return s;
}

/* A source of a record for each 100 loads. */
static struct smpl_source *open_source(void)
{
	const struct engine_sampling how = {.period = 100, .nrecs = 8};
	struct evsel *s = encode("load");
	struct smpl_source *src = engine_sim.records->open(e, s, &how, &why);

	engine_sim.drop(s);
	return src;
}

static void check_refusal(int rc, int error, const char *text)
{
	assert_int_equal(rc, -1);
	assert_int_equal(errno, error);
	if (!strstr(why.text, text))
		fail_msg("%s", why.text);
}

static void records_have_addresses_where_the_counter_has_them(void **arg)
{
	const uint64_t address = UINT64_C(1) << ITEM_ADDR;
	static const struct {
		const char *name;
		int has;
	} cases[] = {
		{"load", 1}, {"store", 1},   {"d1_rd_miss", 1},
		{"insn", 0}, {"br_cond", 0}, {"i1_miss", 0},
	};

	(void)arg;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct evsel *s = encode(cases[i].name);
		const uint64_t items = engine_sim.records->probe(e, s, &why);

		if (!(items & 1 << ITEM_PC) || !!(items & address) != cases[i].has)
			fail_msg("%s: %#jx", cases[i].name, (uintmax_t)items);
		engine_sim.drop(s);
	}
	assert_string_equal(engine_sim.records->iname(e), "Simulated sampling");
	assert_int_equal(engine_sim.records->npic(e), SIM_SAMPLES);
}

static void a_latency_is_refused(void **arg)
{
	const struct engine_request req = {.name = "load", .flags = CPC_COUNT_USER};

	(void)arg;
	check_refusal(engine_sim.records->encode(e, &req, 30, &why) ? 0 : -1, EINVAL,
		      "load: the model has no latencies of loads");
}

static void a_source_follows_its_calls(void **arg)
{
	const struct engine_records *const r = engine_sim.records;
	struct smpl_source *src = open_source();

	(void)arg;
	assert_non_null(src);
	assert_int_equal(sim.counter, CTR_LOAD);
	assert_int_equal(sim.period, 100);
	assert_int_equal(r->freeze(src), 0);
	assert_true(sim.is_paused);
	const unsigned requests = sim.requests;
	assert_int_equal(r->freeze(src), 0);
	assert_int_equal(r->period(src, 7), 0);
	assert_int_equal(sim.period, 7);
	assert_int_equal(r->thaw(src), 0);
	assert_false(sim.is_paused);
	assert_int_equal(r->thaw(src), 0);
	/* a source that is frozen, or runs, already needs no request */
	assert_int_equal(sim.requests, requests + 2);
	assert_int_equal(r->owns(src, 3), 0);
	r->close(src);
	r->close(NULL);
	assert_false(sim.is_open);
}

static void a_source_that_the_simulator_lacks_is_reported(void **arg)
{
	const struct engine_records *const r = engine_sim.records;
	struct smpl_state state;
	uint64_t rec[ENGINE_NITEMS];

	(void)arg;
	sim.has_room = 0;
	check_refusal(open_source() ? 0 : -1, ENOSPC,
		      "no room for records of one more event");
	sim.has_room = 1;
	struct smpl_source *src = open_source();
	assert_non_null(src);
	/* as in a child of fork(2) */
	sim.is_open = 0;
	errno = 0;
	assert_int_equal(r->read(src, rec, 1, &state), -1);
	assert_int_equal(errno, EINVAL);
	errno = 0;
	assert_int_equal(r->period(src, 7), -1);
	assert_int_equal(errno, EINVAL);
	errno = 0;
	assert_int_equal(r->freeze(src), -1);
	assert_int_equal(errno, EINVAL);
	r->close(src);
}

/* More records than one request reads, and a buffer that has no room for all. */
static void all_records_are_read(void **arg)
{
	uint64_t rec[ROOM][ENGINE_NITEMS];
	struct smpl_state state;
	struct smpl_source *src = open_source();

	(void)arg;
	sim.n = ROOM;
	sim.lost = 3;
	for (unsigned i = 0; i < ROOM; i++)
		sim.record[i] = (struct sim_record){
			.pc = 1000 + i, .tid = 2, .ns = 3, .ea = 4000 + i, .period = 100};
	assert_int_equal(engine_sim.records->read(src, rec[0], ROOM - 1, &state),
			 ROOM - 1);
	assert_int_equal(state.lost, 3);
	for (unsigned i = 0; i < ROOM - 1; i++) {
		assert_int_equal(rec[i][ITEM_PC], 1000 + i);
		assert_int_equal(rec[i][ITEM_TID], 2);
		assert_int_equal(rec[i][ITEM_TIME], 3);
		assert_int_equal(rec[i][ITEM_ADDR], 4000 + i);
		assert_int_equal(rec[i][ITEM_CPU], 0);
		assert_int_equal(rec[i][ITEM_PERIOD], 100);
	}
	assert_int_equal(engine_sim.records->read(src, rec[0], ROOM, &state), 1);
	assert_int_equal(rec[0][ITEM_PC], 1000 + ROOM - 1);
	assert_int_equal(engine_sim.records->read(src, rec[0], ROOM, &state), 0);
	engine_sim.records->close(src);
}

/* The time of a source does not include the time while the source was frozen. */
static void time_stands_still_while_frozen(void **arg)
{
	const struct engine_records *const r = engine_sim.records;
	struct smpl_state first, frozen, later;
	const int64_t before = clock_ns();
	struct smpl_source *src = open_source();
	uint64_t rec[ENGINE_NITEMS];

	(void)arg;
	r->freeze(src);
	assert_int_equal(r->read(src, rec, 1, &first), 0);
	usleep(2000);
	assert_int_equal(r->read(src, rec, 1, &frozen), 0);
	assert_int_equal(frozen.on, first.on);
	assert_true(frozen.ns >= first.ns + 2000000);
	r->thaw(src);
	assert_int_equal(r->read(src, rec, 1, &later), 0);
	assert_true(later.on >= frozen.on);
	assert_true(later.on + 2000000 <= (uint64_t)(clock_ns() - before));
	r->close(src);
}

/* The message of a doctor of the simulator. */
static void keep(void *arg, enum finding finding, const char *what, const char *text)
{
	assert_int_equal(finding, FINDING_INFO);
	assert_string_equal(what, "simulator");
	*(const char **)arg = text;
}

static void a_simulated_program_has_its_own_machine(void **arg)
{
	static const struct machine machine;
	const struct engine_machine m = {.machine = &machine};
	char *const argv[] = {(char *)"true", NULL};
	const struct target self = {.tid = 0};
	const char *found = NULL;
	struct evsel *s = encode("load");

	(void)arg;
	check_refusal(engine_sim.machine(e, &m, &why), ENOTSUP,
		      "a simulated program cannot choose its machine");
	check_refusal(engine_sim.command(e, argv, NULL, 0, &why) ? 0 : -1, ENOTSUP,
		      "a simulated program cannot simulate another program");
	/* the simulator of this test does not take requests for counters */
	check_refusal(engine_sim.bind(e, &self, (const struct evsel *const *)&s, 1, &why)
			      ? 0
			      : -1,
		      EINVAL, "cannot count these events");
	engine_sim.words->doctor(e, &found, keep);
	assert_string_equal(found, "this program runs under the simulator");
	engine_sim.drop(s);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, open_session, close_session)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(records_have_addresses_where_the_counter_has_them),
		TEST(a_latency_is_refused),
		TEST(a_source_follows_its_calls),
		TEST(a_source_that_the_simulator_lacks_is_reported),
		TEST(all_records_are_read),
		TEST(time_stands_still_while_frozen),
		TEST(a_simulated_program_has_its_own_machine),
	};

	return cmocka_run_group_tests_name("engine/sim/sampling", tests, NULL, NULL);
}
