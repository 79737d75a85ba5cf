/* The governor and turbo of a machine, as files of /sys show them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fake_root.h"
#include "suite/record/host.h"

#define CPU "sys/devices/system/cpu/"

static void check(unsigned line, const struct fake_file *file, size_t n,
		  const char *governor, int turbo)
{
	char root[] = "/tmp/host.XXXXXX";
	struct record_host h = {.governor = "x", .turbo = 7};

	fake_root_make(root, file, n);
	record_host_frequency(&h, root);
	if (strcmp(h.governor, governor) != 0 || h.turbo != turbo)
		fail_msg("line %u: '%s', %d", line, h.governor, h.turbo);
	assert_int_equal(fake_root_remove(root), 0);
}

static void test_frequency(void **state)
{
	static const struct {
		unsigned line;
		size_t n;
		struct fake_file file[2];
		const char *governor;
		int turbo;
	} cases[] = {
		{__LINE__, 0, {{0}}, "", -1},
		{__LINE__,
		 2,
		 {{CPU "cpu0/cpufreq/scaling_governor", "performance\n"},
		  {CPU "intel_pstate/no_turbo", "1\n"}},
		 "performance",
		 0},
		{__LINE__, 1, {{CPU "intel_pstate/no_turbo", "0\n"}}, "", 1},
		{__LINE__,
		 2,
		 {{CPU "cpu0/cpufreq/scaling_governor", "schedutil\n"},
		  {CPU "cpufreq/boost", "0\n"}},
		 "schedutil",
		 0},
		{__LINE__, 1, {{CPU "cpufreq/boost", "1\n"}}, "", 1},
		{__LINE__, 1, {{CPU "cpufreq/boost", "\n"}}, "", -1},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++)
		check(cases[i].line, cases[i].file, cases[i].n, cases[i].governor,
		      cases[i].turbo);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_frequency)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
