#include "engine/kernel/event.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <linux/perf_event.h>

static const struct {
	int line;
	uint32_t type;
	uint64_t config;
	enum source want;
} cases[] = {
	{__LINE__, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, SOURCE_CLOCK},
	{__LINE__, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, SOURCE_CLOCK},
	{__LINE__, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES, SOURCE_SWITCHES},
	{__LINE__, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS, SOURCE_SCHEDULER},
	{__LINE__, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CGROUP_SWITCHES, SOURCE_SCHEDULER},
	{__LINE__, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, SOURCE_SOFTWARE},
	{__LINE__, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_EMULATION_FAULTS, SOURCE_SOFTWARE},
	/* a software event of a later kernel */
	{__LINE__, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_MAX, SOURCE_SOFTWARE},
	{__LINE__, PERF_TYPE_SOFTWARE, UINT64_MAX, SOURCE_SOFTWARE},
	{__LINE__, PERF_TYPE_BREAKPOINT, 0, SOURCE_BREAKPOINT},
	{__LINE__, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, SOURCE_COUNTER},
	{__LINE__, PERF_TYPE_RAW, PERF_COUNT_SW_CONTEXT_SWITCHES, SOURCE_COUNTER},
	{__LINE__, PERF_TYPE_TRACEPOINT, PERF_COUNT_SW_CONTEXT_SWITCHES,
	 SOURCE_TRACEPOINT},
};

static void sources(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct kernel_event ev = {.type = cases[i].type,
						.config = {cases[i].config}};

		if (kernel_event_source(&ev) != cases[i].want)
			fail_msg("line %d: %d", cases[i].line, kernel_event_source(&ev));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sources),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
