/* The ratios of counts, in words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "suite/screen/ratio.h"

static void test_ratio(void **state)
{
	static const struct {
		int line;
		const char *name, *mode, *unit, *of, *of_mode;
		uint64_t value, of_value;
		cpc_class_t quality, of_quality;
		int64_t wall_ns;
		const char *want;
	} c[] = {
		{__LINE__, "instructions", "user", "1", "cycles", "user", 304, 200, 0, 0,
		 0, "1.52 per cycle"},
		{__LINE__, "instructions", "user", "1", "cycles", "sys", 304, 200, 0, 0,
		 0, ""},
		{__LINE__, "instructions", NULL, "1", "cycles", NULL, 1, 3, 0, 0, 0,
		 "0.33 per cycle"},
		{__LINE__, "instructions", NULL, "1", "cycles", "user", 1, 3, 0, 0, 0,
		 ""},
		{__LINE__, "instructions", "user", "1", "cycles", "user", 304, 0, 0, 0, 0,
		 ""},
		{__LINE__, "instructions", "user", "1", "cycles", "user", 304, 2, 0,
		 CPC_UNAVAILABLE, 1000000000, "304 per second"},
		{__LINE__, "instructions", "user", "1", "cycles", "user", 304, 2,
		 CPC_UNAVAILABLE, 0, 1000000000, ""},
		{__LINE__, "cycles", "user+sys", "cycles", "task-clock", "user+sys",
		 2980000, 1000000, 0, 0, 5, "2.98 GHz"},
		/* Cycles of user mode alone are not those of the whole time. */
		{__LINE__, "cycles", "user", "cycles", "task-clock", "user+sys", 2980000,
		 1000000, 0, 0, 5, ""},
		{__LINE__, "branch-misses", "user", "1", "branches", "user", 31, 1000, 0,
		 0, 0, "3.10 % of branches"},
		{__LINE__, "branch-misses", "user", "1", "branches", "user", 31, 10000000,
		 0, 0, 0, "0.0003 % of branches"},
		{__LINE__, "cache-references", "user", "1", "instructions", "user", 5,
		 1000, CPC_SIMULATED, CPC_SIMULATED, 0, "5.00 per 1000 instructions"},
		{__LINE__, "task-clock", "user+sys", "ns", "x", "", 1500000000, 1, 0, 0,
		 1000000000, "1.50 CPUs used"},
		{__LINE__, "task-clock", "user+sys", "ns", "x", "", 1500000000, 1, 0, 0,
		 0, ""},
		{__LINE__, "duration_time", "", "ns", "x", "", 15, 1, 0, 0, 1000000000,
		 ""},
		{__LINE__, "page-faults", "user", "1", "x", "", 1263, 1, 0, 0, 1000000000,
		 "1263 per second"},
		{__LINE__, "page-faults", "user", "1", "x", "", 25, 1, 0, 0, 2000000000,
		 "12.5 per second"},
		{__LINE__, "page-faults", "user", "1", "x", "", 0, 1, 0, 0, 1000000000,
		 ""},
		/* The counts of a model do not relate to the time of the simulator. */
		{__LINE__, "insn", "user", "1", "x", "", 1263, 1, CPC_SIMULATED, 0,
		 1000000000, ""},
		{__LINE__, "cyc", "user", "cycles", "x", "", 1263, 1, 0, 0, 1000000000,
		 ""},
		{__LINE__, "x", NULL, NULL, "y", "", 1263, 1, 0, 0, 1000000000, ""},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof c / sizeof c[0]; i++) {
		const cpc_value_t v = {.value = c[i].value, .quality = c[i].quality};
		const cpc_value_t of = {.value = c[i].of_value,
					.quality = c[i].of_quality};
		const struct ratio_count count[] = {
			{c[i].of, c[i].of_mode, "1", &of},
			{c[i].name, c[i].mode, c[i].unit, &v}};
		const struct ratio_run run = {2, count, c[i].wall_ns};
		struct textbuf b = {0};

		ratio_put(&b, &run, 1);
		char *text = textbuf_end(&b);
		assert_non_null(text);
		if (strcmp(text, c[i].want) != 0)
			fail_msg("line %d: '%s', not '%s'", c[i].line, text, c[i].want);
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_ratio)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
