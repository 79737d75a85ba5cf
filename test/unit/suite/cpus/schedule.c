/* The times at which samples are due. */
#include "suite/cpus/schedule.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka.h needs the headers above */
#include <cmocka.h>

enum { START = 1000000 };

#define MOST INT64_C(1000000000000000000) /* an interval of 10^9 s */

/* Sample n of a schedule: its set, and its begin and end after the start. */
static const struct {
	int line;
	int64_t interval, period;
	unsigned nsets;
	uint64_t n;
	unsigned set;
	int64_t begin, end;
} places[] = {
	{__LINE__, 100, 0, 1, 1, 0, 0, 100},
	{__LINE__, 100, 0, 1, 2, 0, 100, 200},
	{__LINE__, 100, 0, 1, 1000, 0, 99900, 100000},
	/* a period has no effect on a single set */
	{__LINE__, 100, 1000, 1, 2, 0, 100, 200},
	{__LINE__, 100, 0, 3, 1, 0, 0, 100},
	{__LINE__, 100, 0, 3, 3, 2, 200, 300},
	{__LINE__, 100, 0, 3, 4, 0, 300, 400},
	{__LINE__, 100, 1000, 3, 3, 2, 200, 300},
	{__LINE__, 100, 1000, 3, 4, 0, 1000, 1100},
	{__LINE__, 100, 1000, 3, 8, 1, 2100, 2200},
	/* a period shorter than all turns has no effect */
	{__LINE__, 100, 250, 3, 4, 0, 300, 400},
	{__LINE__, 100, 300, 3, 4, 0, 300, 400},
	/* the longest intervals: a turn is longer than the range of the clock */
	{__LINE__, MOST, 0, 10, 1, 0, 0, MOST},
	{__LINE__, MOST, 1, 10, 2, 1, MOST, 2 * MOST},
};

static void samples_have_their_places(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
		const struct schedule s = schedule_make(
			START, places[i].interval, places[i].period, places[i].nsets, 0);
		const uint64_t n = places[i].n;

		if (schedule_set(&s, n) != places[i].set ||
		    schedule_begin(&s, n) != START + places[i].begin ||
		    schedule_end(&s, n) != START + places[i].end)
			fail_msg("line %d", places[i].line);
	}
}

/* The next sample after sample n, at a time after the start. */
static const struct {
	int line;
	int64_t interval, period;
	unsigned nsets;
	uint64_t count, n;
	int64_t now;
	uint64_t next, skipped;
} steps[] = {
	{__LINE__, 100, 0, 1, 0, 1, 100, 2, 0},
	{__LINE__, 100, 0, 1, 0, 1, 199, 2, 0},
	/* a sample that is due right now is late */
	{__LINE__, 100, 0, 1, 0, 1, 200, 3, 1},
	{__LINE__, 100, 0, 1, 0, 1, 1050, 11, 9},
	/* a clock that goes back does not repeat a sample */
	{__LINE__, 100, 0, 1, 0, 5, 450, 6, 0},
	{__LINE__, 100, 0, 1, 3, 2, 200, 3, 0},
	{__LINE__, 100, 0, 1, 3, 3, 300, 0, 0},
	/* samples that are left out count towards the limit, even the last */
	{__LINE__, 100, 0, 1, 10, 1, 950, 10, 8},
	{__LINE__, 100, 0, 1, 10, 1, 1000, 0, 9},
	{__LINE__, 100, 0, 1, 10, 1, 99999, 0, 9},
	/* with a period the limit is a number of cycles */
	{__LINE__, 100, 1000, 3, 2, 3, 300, 4, 0},
	{__LINE__, 100, 1000, 3, 2, 3, 1099, 4, 0},
	{__LINE__, 100, 1000, 3, 2, 3, 1100, 5, 1},
	{__LINE__, 100, 1000, 3, 2, 6, 1300, 0, 0},
	{__LINE__, 100, 1000, 3, 0, 2, 1300, 7, 4},
	{__LINE__, 100, 1000, 3, 0, 2, 1299, 6, 3},
	{__LINE__, MOST, 1, 10, 0, 1, 100, 2, 0},
	{__LINE__, 100, 0, 3, 2, 2, 200, 0, 0},
};

static void the_next_is_the_first_that_is_not_due(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
		const struct schedule s =
			schedule_make(START, steps[i].interval, steps[i].period,
				      steps[i].nsets, steps[i].count);
		uint64_t skipped = 7;
		const uint64_t next =
			schedule_next(&s, steps[i].n, START + steps[i].now, &skipped);

		if (next != steps[i].next || skipped != 7 + steps[i].skipped)
			fail_msg("line %d: next %llu, skipped %llu", steps[i].line,
				 (unsigned long long)next,
				 (unsigned long long)(skipped - 7));
	}
}

/* A stop of days takes no longer to compute than a short one. */
static void a_long_stop_is_one_step(void **state)
{
	const struct schedule s = schedule_make(0, 1, 0, 3, 0);
	uint64_t skipped = 0;

	(void)state;
	assert_int_equal(schedule_next(&s, 1, 4000000000000000000, &skipped),
			 4000000000000000001);
	assert_int_equal(skipped, 3999999999999999999);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_have_their_places),
		cmocka_unit_test(the_next_is_the_first_that_is_not_due),
		cmocka_unit_test(a_long_stop_is_one_step),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
