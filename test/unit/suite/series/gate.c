/* Limits: their text, and what ranges and intervals say about them. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "suite/series/gate.h"

static void test_text(void **state)
{
	static const struct {
		int line;
		const char *text;
		unsigned n;
		struct gate_limit limit[3];
	} t[] = {
		{__LINE__, "a=2%", 1, {{"a", 0.02, 0}}},
		{__LINE__, "a=2.5%,b=0%", 2, {{"a", 0.025, 0}, {"b", 0, 0}}},
		{__LINE__, "-a=10%", 1, {{"a", 0.1, 1}}},
		{__LINE__, "L1-dcache-loads=1%", 1, {{"L1-dcache-loads", 0.01, 0}}},
		{__LINE__,
		 "cpu/event=0x1,umask=2/=3%,b=1%",
		 2,
		 {{"cpu/event=0x1,umask=2/", 0.03, 0}, {"b", 0.01, 0}}},
		{__LINE__, "a", 0, {{0}}},
		{__LINE__, "a=", 0, {{0}}},
		{__LINE__, "a=2", 0, {{0}}},
		{__LINE__, "=2%", 0, {{0}}},
		{__LINE__, "-=2%", 0, {{0}}},
		{__LINE__, "a=-2%", 0, {{0}}},
		{__LINE__, "a=nan%", 0, {{0}}},
		{__LINE__, "a=0x10%", 0, {{0}}},
		{__LINE__, "a=1e1%", 0, {{0}}},
		{__LINE__, "a= 2%", 0, {{0}}},
		{__LINE__, "a=+2%", 0, {{0}}},
		{__LINE__, "a=1000001%", 0, {{0}}},
		{__LINE__, "a=2%b", 0, {{0}}},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof t / sizeof t[0]; i++) {
		struct gate g = {0};
		const char *bad = NULL;
		const int rc = gate_add(&g, t[i].text, &bad);

		if ((rc == 0) != (t[i].n > 0) || g.n != t[i].n)
			fail_msg("line %d: %d, %u limits", t[i].line, rc, g.n);
		if (rc == -1 && (errno != EINVAL || bad != t[i].text))
			fail_msg("line %d: the bad part is '%s'", t[i].line, bad);
		for (unsigned k = 0; k < g.n; k++) {
			assert_string_equal(g.limit[k].event, t[i].limit[k].event);
			assert_true(g.limit[k].limit == t[i].limit[k].limit);
			assert_int_equal(g.limit[k].falls, t[i].limit[k].falls);
		}
		gate_free(&g);
	}
	/* What is right before the malformed part stays, and is freed. */
	struct gate g = {0};
	const char *bad;
	assert_int_equal(gate_add(&g, "a=1%,", &bad), -1);
	assert_string_equal(bad, "");
	assert_int_equal(g.n, 1);
	gate_free(&g);
}

static void test_ranges(void **state)
{
	static const struct runs_event event = {
		.name = "x", .unit = "1", .kind = RUNS_COUNT};
	static const struct {
		int line;
		double limit;
		int falls;
		uint64_t was[2], now[2];
		enum gate_result want;
	} t[] = {
		{__LINE__, 0, 0, {100, 100}, {100, 100}, GATE_OK},
		{__LINE__, 0, 0, {100, 100}, {101, 101}, GATE_FAIL},
		{__LINE__, 0, 0, {100, 102}, {101, 101}, GATE_UNSURE},
		{__LINE__, 0, 0, {100, 102}, {99, 100}, GATE_OK},
		{__LINE__, 0.01, 0, {1000, 1000}, {1010, 1010}, GATE_OK},
		{__LINE__, 0.01, 0, {1000, 1000}, {1011, 1012}, GATE_FAIL},
		{__LINE__, 0.01, 0, {1000, 1000}, {1010, 1011}, GATE_UNSURE},
		{__LINE__, 0.01, 0, {0, 0}, {0, 0}, GATE_OK},
		{__LINE__, 0.01, 0, {0, 0}, {1, 1}, GATE_FAIL},
		{__LINE__, 0.01, 1, {1000, 1000}, {990, 2000}, GATE_OK},
		{__LINE__, 0.01, 1, {1000, 1000}, {980, 989}, GATE_FAIL},
		{__LINE__, 0.01, 1, {1000, 1000}, {989, 990}, GATE_UNSURE},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof t / sizeof t[0]; i++) {
		const struct gate_limit limit = {"x", t[i].limit, t[i].falls};
		struct runs was = {.nevents = 1, .event = &event}, now = was;
		const cpc_class_t quality = CPC_SIMULATED;

		for (unsigned k = 0; k < 2; k++) {
			assert_int_equal(runs_add(&was, &t[i].was[k], &quality), 0);
			assert_int_equal(runs_add(&now, &t[i].now[k], &quality), 0);
		}
		assert_int_equal(gate_ranges(&limit, &was, 0, &now, 0), GATE_TOO_FEW);
		assert_int_equal(runs_add(&was, &t[i].was[1], &quality), 0);
		assert_int_equal(gate_ranges(&limit, &was, 0, &now, 0), GATE_TOO_FEW);
		assert_int_equal(runs_add(&now, &t[i].now[1], &quality), 0);
		was.n--;
		assert_int_equal(gate_ranges(&limit, &was, 0, &now, 0), GATE_TOO_FEW);
		was.n++;
		const enum gate_result got = gate_ranges(&limit, &was, 0, &now, 0);
		if (got != t[i].want)
			fail_msg("line %d: %d, not %d", t[i].line, got, t[i].want);
		runs_free(&now);
		assert_int_equal(gate_ranges(&limit, &was, 0, &now, 0), GATE_MISSING);
		runs_free(&was);
	}
}

static void test_pairs(void **state)
{
	static const struct runs_event event = {.name = "x", .unit = "ns"};
	const struct runs none = {.nevents = 1, .event = &event};
	static const struct {
		int line;
		double limit;
		int falls;
		double low, high;
		int has_interval, relative;
		enum gate_result want;
	} t[] = {
		{__LINE__, 0.02, 0, 0.021, 0.04, 1, 1, GATE_FAIL},
		{__LINE__, 0.02, 0, 0.01, 0.04, 1, 1, GATE_UNSURE},
		{__LINE__, 0.02, 0, -0.01, 0.02, 1, 1, GATE_OK},
		{__LINE__, 0.02, 1, -0.05, -0.021, 1, 1, GATE_FAIL},
		{__LINE__, 0.02, 1, -0.05, -0.01, 1, 1, GATE_UNSURE},
		{__LINE__, 0.02, 1, -0.02, 0.5, 1, 1, GATE_OK},
		{__LINE__, 0.02, 0, 1, 2, 0, 1, GATE_TOO_FEW},
		{__LINE__, 0.02, 0, 1, 2, 1, 0, GATE_UNSURE},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof t / sizeof t[0]; i++) {
		const struct gate_limit limit = {"x", t[i].limit, t[i].falls};
		struct judgement j = {.has_change = 1,
				      .change = {.relative = t[i].relative,
						 .has_interval = t[i].has_interval,
						 .low = t[i].low,
						 .high = t[i].high}};

		if (gate_pairs(&limit, &j, &none, &none, 0) != t[i].want)
			fail_msg("line %d", t[i].line);
		j.verdict = JUDGE_UNAVAILABLE;
		assert_int_equal(gate_pairs(&limit, &j, &none, &none, 0), GATE_MISSING);
	}
}

/* At another moment only counts, and little else, can be judged. */
/* A change from 0 has no percentage. */
static void test_line(void **state)
{
	static const struct runs_event event = {
		.name = "x", .unit = "1", .kind = RUNS_COUNT};
	const struct gate_limit limit = {"x", 0.02, 0};
	struct runs was = {.nevents = 1, .event = &event}, now = was;
	const cpc_class_t quality = CPC_SIMULATED;
	struct textbuf b = {0};
	struct cells c;

	(void)state;
	assert_int_equal(runs_add(&was, (uint64_t[]){0}, &quality), 0);
	assert_int_equal(runs_add(&now, (uint64_t[]){7}, &quality), 0);
	gate_cells_begin(&c);
	gate_cells_add(&c, &limit, GATE_FAIL,
		       &(struct gate_evidence){.was = &was, .now = &now});
	gate_cells_add(&c, &limit, GATE_OK,
		       &(struct gate_evidence){.was = &now, .now = &was});
	gate_cells_add(&c, &limit, GATE_TOO_FEW,
		       &(struct gate_evidence){.was = &was, .now = &now});
	gate_cells_add(&c, &limit, GATE_MISSING,
		       &(struct gate_evidence){.was = &was, .now = &now});
	assert_int_equal(cells_end(&c), 0);
	gate_put(&b, &c);
	gate_put_sum(&b, (unsigned[]){1, 0, 1, 1, 1});
	char *text = textbuf_end(&b);
	assert_string_equal(text, "FAIL   x  +7  limit 2 %   7 was 0\n"
				  "ok     x  -100.00 %  limit 2 %   0 was 7\n"
				  "few    x  1 run is too few to judge\n"
				  "absent x  has no values to compare\n"
				  "1 of 4 limits exceeded, 0 unsure");
	cells_free(&c);
	free(text);
	runs_free(&was);
	runs_free(&now);
}

static void test_refusal(void **state)
{
	static const struct {
		int line;
		struct runs_event event;
		double limit;
		const char *want;
	} t[] = {
		{__LINE__, {"x", "user", "1", RUNS_COUNT}, 0, NULL},
		{__LINE__, {"task-clock", "user+sys", "ns", RUNS_NOISY}, 0.5, ""},
		{__LINE__, {"page-faults", "user", "1", RUNS_NOISY}, 0.05, NULL},
		{__LINE__, {"page-faults", "user", "1", RUNS_NOISY}, 0.04, "5 %"},
		{__LINE__, {"instructions", "user", "1", RUNS_NOISY}, 0.01, NULL},
		{__LINE__, {"instructions", "user", "1", RUNS_NOISY}, 0.005, "1 %"},
		{__LINE__, {"instructions", "user+sys", "1", RUNS_NOISY}, 0.5, ""},
		{__LINE__, {"instructions", NULL, "1", RUNS_NOISY}, 0.5, ""},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof t / sizeof t[0]; i++) {
		const struct gate_limit limit = {.limit = t[i].limit};
		const char *got = gate_refusal(&limit, &t[i].event);

		if (!got != !t[i].want || (got && strcmp(got, t[i].want) != 0))
			fail_msg("line %d: '%s'", t[i].line, got ? got : "none");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text), cmocka_unit_test(test_ranges),
		cmocka_unit_test(test_pairs), cmocka_unit_test(test_line),
		cmocka_unit_test(test_refusal)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
