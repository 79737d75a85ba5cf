/*
 * The values of runs, and their order: the known numbers of the generator, and orders
 * that are equally frequent.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

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

static void test_runs(void **state)
{
	static const struct runs_event events[] = {{.name = "a"}, {.name = "b"}};
	static const uint64_t value[][2] = {{7, 1}, {8, 2}, {7, 3}, {9, 4}, {7, 5}};
	static const cpc_class_t exact[] = {CPC_EXACT, CPC_EXACT};
	static const cpc_class_t half[] = {CPC_SCALED, CPC_UNAVAILABLE};
	struct runs r = {.nevents = 2, .event = events};
	struct runs_constancy c;

	(void)state;
	assert_int_equal(runs_quality(&r, 0), CPC_UNAVAILABLE);
	for (unsigned i = 0; i < 5; i++)
		assert_int_equal(runs_add(&r, value[i], i == 4 ? half : exact), 0);
	assert_int_equal(r.n, 5);
	assert_int_equal(runs_value(&r, 3, 0), 9);
	assert_int_equal(runs_value(&r, 3, 1), 4);
	assert_int_equal(runs_missing(&r, 0), 0);
	assert_int_equal(runs_missing(&r, 1), 1);
	assert_true(runs_is_missing(&r, 4, 1) && !runs_is_missing(&r, 3, 1));
	assert_int_equal(runs_quality(&r, 0), CPC_SCALED);
	assert_int_equal(runs_quality(&r, 1), CPC_UNAVAILABLE);
	runs_constancy(&c, &r, 0);
	assert_int_equal(c.distinct, 3);
	assert_int_equal(c.usual, 7);
	assert_int_equal(c.times, 3);
	assert_int_equal(c.least, 7);
	assert_int_equal(c.most, 9);
	double *v = runs_values(&r, 1);
	for (unsigned i = 0; i < 5; i++)
		assert_true(v[i] == i + 1);
	free(v);
	runs_free(&r);
	assert_int_equal(r.n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_generator),
					   cmocka_unit_test(test_frequencies),
					   cmocka_unit_test(test_runs)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
