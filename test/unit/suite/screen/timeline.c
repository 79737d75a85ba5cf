/* Values in a bounded number of cells. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "suite/screen/timeline.h"

static void expect(const struct timeline *t, unsigned begin, unsigned end, double wanted)
{
	double mean;

	assert_int_equal(timeline_mean(t, begin, end, &mean), 1);
	assert_true(mean == wanted);
}

static void expect_gap(const struct timeline *t, unsigned begin, unsigned end)
{
	double mean;

	assert_int_equal(timeline_mean(t, begin, end, &mean), 0);
	assert_true(mean == 0);
}

static void test_values(void **state)
{
	struct timeline t = {.n = 0};

	(void)state;
	expect_gap(&t, 0, TIMELINE_CELLS);
	timeline_add(&t, 0, 0, 5);
	timeline_add(&t, 1, 2, 9);
	timeline_add(&t, 4, 4, 0);
	expect(&t, 0, 1, 5);
	expect(&t, 1, 3, 9);
	expect(&t, 0, 2, 7);
	expect_gap(&t, 3, 4);
	expect(&t, 3, TIMELINE_CELLS + 9, 0);
	assert_int_equal(t.n, 3);
	assert_int_equal(t.minimum, 0);
	assert_int_equal(t.maximum, 9);
	assert_true(t.total == 14);
	assert_int_equal(t.now, 0);
	assert_int_equal(t.has_now, 1);
	timeline_gap(&t);
	assert_int_equal(t.has_now, 0);
}

/* The mean of a cell weighs each value alike. */
static void test_halve(void **state)
{
	struct timeline t = {.n = 0};

	(void)state;
	timeline_add(&t, 0, 0, 1);
	timeline_add(&t, 1, 1, 3);
	timeline_add(&t, 3, 3, 8);
	timeline_add(&t, TIMELINE_CELLS - 1, TIMELINE_CELLS - 1, 7);
	timeline_halve(&t);
	expect(&t, 0, 1, 2);
	expect(&t, 1, 2, 8);
	expect_gap(&t, 2, TIMELINE_CELLS / 2 - 1);
	expect(&t, TIMELINE_CELLS / 2 - 1, TIMELINE_CELLS / 2, 7);
	expect_gap(&t, TIMELINE_CELLS / 2, TIMELINE_CELLS);
	timeline_add(&t, 0, 0, 5);
	expect(&t, 0, 1, 3);
	assert_int_equal(t.maximum, 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_values),
					   cmocka_unit_test(test_halve)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
