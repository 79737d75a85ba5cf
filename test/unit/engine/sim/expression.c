#include "engine/sim/expression.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* The values for 1600 units of the schedule, 100 instructions, 30 loads, 3 misses. */
static const struct {
	int line;
	const char *text;
	int err;
	uint64_t value;
} cases[] = {
	{__LINE__, "0", 0, 0},
	{__LINE__, "insn", 0, 100},
	{__LINE__, "insn+load", 0, 130},
	{__LINE__, "insn-load", 0, 70},
	{__LINE__, "load-insn", 0, 0},
	{__LINE__, "cycles_est", 0, 130},
	{__LINE__, "est_load", 0, 30},
	{__LINE__, "cycles_est-est_load", 0, 100},
	{__LINE__, "est_load-cycles_est", 0, 0},
	{__LINE__, "cycles_est-est_load+load-insn", 0, 100},
	{__LINE__, "", EINVAL, 0},
	{__LINE__, "insn+", EINVAL, 0},
	{__LINE__, "-insn", EINVAL, 0},
	{__LINE__, "none", EINVAL, 0},
	{__LINE__, "insn+insn+insn+insn+insn+insn+insn+insn+insn+insn+insn+insn", 0,
	 1200},
	{__LINE__, "insn+insn+insn+insn+insn+insn+insn+insn+insn+insn+insn+insn+insn",
	 EINVAL, 0},
};

static void test_values(void **state)
{
	static const struct machine m = {
		.npenalties = 1,
		.penalty = {{.counter = CTR_L2_RD_MISS,
			     .cycles = 10,
			     .group = COST_LOAD}},
	};
	const uint64_t count[SIM_NCOUNTERS] = {[CTR_SCHED16] = 1600,
					       [CTR_INSN] = 100,
					       [CTR_LOAD] = 30,
					       [CTR_L2_RD_MISS] = 3};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct sim_expression x;

		errno = 0;
		const int rc = sim_expression_parse(cases[i].text, &x);
		if (rc != (cases[i].err ? -1 : 0) || errno != cases[i].err)
			fail_msg("line %d: rc %d", cases[i].line, rc);
		if (rc == 0 && sim_expression_value(&x, &m, count) != cases[i].value)
			fail_msg("line %d: %llu", cases[i].line,
				 (unsigned long long)sim_expression_value(&x, &m, count));
	}
}

/* The last level of caches is the third if there is one. */
static void memory_is_behind_the_last_level(void **state)
{
	static const struct penalty penalties[] = {
		{.counter = CTR_L2_RD_MISS, .cycles = 10, .group = COST_LOAD},
		{.counter = CTR_L3_RD_MISS, .cycles = 100, .group = COST_LOAD}};
	struct machine m = {.npenalties = 2, .penalty = {penalties[0], penalties[1]}};
	const uint64_t count[SIM_NCOUNTERS] = {
		[CTR_L2_RD_MISS] = 3, [CTR_L3_RD_MISS] = 2};
	struct sim_expression x;

	(void)state;
	assert_int_equal(sim_expression_parse("est_mem", &x), 0);
	assert_int_equal(sim_expression_value(&x, &m, count), 30);
	m.l3.size = 1 << 20;
	assert_int_equal(sim_expression_value(&x, &m, count), 200);
}

static void knows_what_the_third_level_counts(void **state)
{
	static const struct {
		const char *text;
		int wants;
	} want[] = {{"insn", 0},       {"l2_rd_miss", 0},
		    {"l3_i_miss", 1},  {"insn+l3_rd_miss", 1},
		    {"l3_wr_miss", 1}, {"l3_wb", 1}};

	(void)state;
	for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
		struct sim_expression x;

		assert_int_equal(sim_expression_parse(want[i].text, &x), 0);
		if (sim_expression_wants_l3(&x) != want[i].wants)
			fail_msg("%s", want[i].text);
	}
}

/* The sum of counts times weights is the value, which is not rounded nor cut at 0. */
static const struct {
	int line;
	const char *text;
	double insn, load, l2, time;
} weights[] = {
	{__LINE__, "0", 0, 0, 0, 0},
	{__LINE__, "insn", 1, 0, 0, 0},
	{__LINE__, "load-insn", -1, 1, 0, 0},
	{__LINE__, "insn+insn", 2, 0, 0, 0},
	{__LINE__, "cycles_est", 0, 0, 10.5, 1 / 16.0},
	{__LINE__, "est_base", 0, 0, 0, 1 / 16.0},
	{__LINE__, "cycles_est-est_load", 0, 0, 0, 1 / 16.0},
	{__LINE__, "est_load+l2_rd_miss", 0, 0, 11.5, 0},
	{__LINE__, "sched16", 0, 0, 0, 1},
};

static void test_weights(void **state)
{
	static const struct machine m = {
		.npenalties = 1,
		.penalty = {{.counter = CTR_L2_RD_MISS,
			     .cycles = 10.5,
			     .group = COST_LOAD}},
	};

	(void)state;
	for (size_t i = 0; i < sizeof weights / sizeof weights[0]; i++) {
		struct sim_expression x;

		assert_int_equal(sim_expression_parse(weights[i].text, &x), 0);
		if (sim_expression_weight(&x, &m, CTR_INSN) != weights[i].insn ||
		    sim_expression_weight(&x, &m, CTR_LOAD) != weights[i].load ||
		    sim_expression_weight(&x, &m, CTR_L2_RD_MISS) != weights[i].l2 ||
		    sim_expression_weight(&x, &m, CTR_SCHED16) != weights[i].time)
			fail_msg("line %d", weights[i].line);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_weights),
		cmocka_unit_test(memory_is_behind_the_last_level),
		cmocka_unit_test(knows_what_the_third_level_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
