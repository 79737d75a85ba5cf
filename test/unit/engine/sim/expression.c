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

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_values)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
