#include "engine/kernel/tsc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include <cmocka.h>

static const struct {
	int line;
	struct tsc_cpuid cpuid;
	uint64_t hz;
} rates[] = {
	{__LINE__, {0, 0, 0, 0}, 0},
	{__LINE__, {2, 216, 24000000, 0}, 2592000000},
	{__LINE__, {2, 216, 0, 0}, 0}, /* a ratio to an unknown crystal */
	{__LINE__, {0, 216, 24000000, 0}, 0},
	{__LINE__, {0, 0, 0, 2599998}, 2599998000},
	{__LINE__, {2, 84, 38400000, 1000}, 1612800000},
};

static void computes_the_rate_from_cpuid(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rates) / sizeof(rates[0]); i++) {
		const uint64_t hz = tsc_cpuid_hz(&rates[i].cpuid);
		if (hz != rates[i].hz)
			fail_msg("line %d: %llu", rates[i].line, (unsigned long long)hz);
	}
}

static const struct {
	int line;
	uint64_t hz, ns, cycles;
} times[] = {
	{__LINE__, 1000000000, 12345, 12345},
	{__LINE__, 2600000000, 10, 26},
	{__LINE__, 2600000000, 1, 2},
	{__LINE__, 2599998000, 3600000000000, 9359992800000},
	{__LINE__, 18000000000, 999999999, 17999999982},
	{__LINE__, 2500000000, 3000000000000000000, 7500000000000000000},
	{__LINE__, 1, 999999999, 0},
};

static void converts_ns_into_cycles(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		const uint64_t cycles = tsc_cycles(times[i].hz, times[i].ns);
		if (cycles != times[i].cycles)
			fail_msg("line %d: %llu", times[i].line,
				 (unsigned long long)cycles);
	}
}

/* Two measurements of 2 ms agree within 1e-3, which leaves room for a busy machine. */
static void measures_a_rate(void **state)
{
	(void)state;
	struct tsc a, b;

	tsc_start(&a);
	const uint64_t first = tsc_wait(&a);
	assert_true(first > 1000000);
	assert_int_equal(tsc_rate(&a), first);
	tsc_start(&b);
	const uint64_t second = tsc_wait(&b);
	assert_in_range(second, first - first / 1000, first + first / 1000);
}

static void keeps_a_rate_that_was_set(void **state)
{
	(void)state;
	struct tsc t;

	tsc_start(&t);
	tsc_set(&t, 42);
	assert_int_equal(tsc_rate(&t), 42);
	assert_int_equal(tsc_wait(&t), 42);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(computes_the_rate_from_cpuid),
		cmocka_unit_test(converts_ns_into_cycles),
		cmocka_unit_test(measures_a_rate),
		cmocka_unit_test(keeps_a_rate_that_was_set),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
