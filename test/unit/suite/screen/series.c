/* Values in a bounded number of cells. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "suite/screen/series.h"

static void expect(const struct series *s, unsigned begin, unsigned end, double wanted)
{
	double mean;

	assert_int_equal(series_mean(s, begin, end, &mean), 1);
	assert_true(mean == wanted);
}

static void expect_gap(const struct series *s, unsigned begin, unsigned end)
{
	double mean;

	assert_int_equal(series_mean(s, begin, end, &mean), 0);
	assert_true(mean == 0);
}

static void test_values(void **state)
{
	struct series s = {.n = 0};

	(void)state;
	expect_gap(&s, 0, SERIES_CELLS);
	series_add(&s, 0, 0, 5);
	series_add(&s, 1, 2, 9);
	series_add(&s, 4, 4, 0);
	expect(&s, 0, 1, 5);
	expect(&s, 1, 3, 9);
	expect(&s, 0, 2, 7);
	expect_gap(&s, 3, 4);
	expect(&s, 3, SERIES_CELLS + 9, 0);
	assert_int_equal(s.n, 3);
	assert_int_equal(s.minimum, 0);
	assert_int_equal(s.maximum, 9);
	assert_true(s.total == 14);
	assert_int_equal(s.now, 0);
	assert_int_equal(s.has_now, 1);
	series_gap(&s);
	assert_int_equal(s.has_now, 0);
}

/* The mean of a cell weighs each value alike. */
static void test_halve(void **state)
{
	struct series s = {.n = 0};

	(void)state;
	series_add(&s, 0, 0, 1);
	series_add(&s, 1, 1, 3);
	series_add(&s, 3, 3, 8);
	series_add(&s, SERIES_CELLS - 1, SERIES_CELLS - 1, 7);
	series_halve(&s);
	expect(&s, 0, 1, 2);
	expect(&s, 1, 2, 8);
	expect_gap(&s, 2, SERIES_CELLS / 2 - 1);
	expect(&s, SERIES_CELLS / 2 - 1, SERIES_CELLS / 2, 7);
	expect_gap(&s, SERIES_CELLS / 2, SERIES_CELLS);
	series_add(&s, 0, 0, 5);
	expect(&s, 0, 1, 3);
	assert_int_equal(s.maximum, 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_values),
					   cmocka_unit_test(test_halve)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
