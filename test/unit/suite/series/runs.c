/* The order of runs: the known numbers of the generator, and equally frequent orders. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "suite/series/runs.h"

/*
 * The first numbers of SplitMix64 from the seed 1234567 are, as its authors' code gives
 * them, 6457827717110365317, 3203168211198807973 and 9817491932198370423: odd, odd, odd.
 */
static void test_generator(void **state)
{
	struct runs_order o = {1234567};
	unsigned at[2];

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		runs_draw_order(&o, at, 2);
		assert_int_equal(at[0], 0);
		assert_int_equal(at[1], 1);
	}
	runs_draw_order(&o, at, 1);
	assert_int_equal(at[0], 0);
	assert_true(o.state == 1234567 + 3 * UINT64_C(0x9e3779b97f4a7c15));
}

static void test_frequencies(void **state)
{
	struct runs_order o = {7};
	unsigned count[3][3] = {{0}}, at[3];

	(void)state;
	for (unsigned i = 0; i < 6000; i++) {
		runs_draw_order(&o, at, 3);
		assert_int_equal(at[0] + at[1] + at[2], 3);
		for (unsigned k = 0; k < 3; k++)
			count[k][at[k]]++;
	}
	/* Each is expected 2000 times, with a standard deviation of 37. */
	for (unsigned i = 0; i < 9; i++)
		assert_in_range(count[i / 3][i % 3], 1850, 2150);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_generator),
					   cmocka_unit_test(test_frequencies)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
