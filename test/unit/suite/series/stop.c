/* How many rounds of repeated runs are enough. */
#include "suite/series/stop.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { MOST = 120 };

/*
 * Whether n rounds are enough after so many seconds; B is a third above A, and in every
 * third pair by so much more.
 */
static const struct {
	int line;
	struct stop stop;
	size_t n;
	unsigned commands, more;
	double seconds;
	int due;
} cases[] = {
	{__LINE__, {.rounds = 3}, 2, 2, 0, 99, 0},
	{__LINE__, {.rounds = 3}, 3, 2, 0, 0, 1},
	{__LINE__, {.is_count = 1}, 4, 2, 0, 99, 0},
	{__LINE__, {.is_count = 1}, 5, 2, 0, 0, 1},
	{__LINE__, {.is_count = 1, .rounds = 9}, 5, 2, 0, 0, 0},
	/* the time is over, but fewer than six rounds mean nothing */
	{__LINE__, {.seconds = 60, .width = 0.02, .alpha = 0.05}, 5, 2, 0, 60, 0},
	{__LINE__, {.seconds = 60, .width = 0.02, .alpha = 0.05}, 6, 2, 0, 60, 1},
	{__LINE__, {.seconds = 60, .width = 0.02, .alpha = 0.05}, 6, 2, 0, 59, 0},
	/* a narrow interval is seen at 10 rounds, and not between two looks */
	{__LINE__, {.seconds = 60, .width = 0.02, .alpha = 0.05}, 9, 2, 0, 0, 0},
	{__LINE__, {.seconds = 60, .width = 0.02, .alpha = 0.05}, 10, 2, 0, 0, 1},
	{__LINE__, {.seconds = 60, .width = 0.02, .alpha = 0.05}, 11, 2, 0, 0, 0},
	{__LINE__, {.seconds = 60, .width = 0.02, .alpha = 0.05}, 10, 2, 300, 0, 0},
	{__LINE__, {.seconds = 60, .width = 0.02, .alpha = 0.05}, 10, 3, 300, 0, 0},
	/* a single command has no change that could be known */
	{__LINE__, {.seconds = 60, .width = 0.02, .alpha = 0.05}, 10, 1, 0, 0, 0},
	{__LINE__, {.seconds = 60, .width = 0.02, .alpha = 0.05}, 112, 1, 0, 0, 1},
	{__LINE__, {.seconds = 60, .width = 0.02, .alpha = 0.05}, 112, 2, 300, 0, 1},
};

static void test_rounds(void **state)
{
	static const struct runs_event event = {.name = "elapsed"};
	static unsigned char quality[MOST];
	static uint64_t a[MOST], b[MOST];

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct runs old = {.nevents = 1,
					 .event = &event,
					 .n = cases[i].n,
					 .value = a,
					 .quality = quality};
		struct runs new = old;
		const struct runs *command[3] = {&old, &old, &old};

		new.value = b;
		command[cases[i].commands - 1] = &new;
		for (size_t k = 0; k < MOST; k++) {
			a[k] = 900 + k % 2;
			b[k] = 1200 + (k % 3 == 0 ? cases[i].more : 0);
		}
		const int due = stop_is_due(&cases[i].stop, command, cases[i].commands,
					    cases[i].seconds);
		if (due != cases[i].due)
			fail_msg("line %d: %d", cases[i].line, due);
	}
}

/* Returns whether ten rounds of B, and of the references A and C, are enough. */
static int are_enough(uint64_t *a, uint64_t *c, uint64_t *b)
{
	static const struct runs_event event = {.name = "elapsed"};
	static unsigned char quality[10];
	const struct stop stop = {.seconds = 60, .width = 0.02, .alpha = 0.05};
	uint64_t *const value[] = {a, c, b};
	struct runs runs[3];

	for (unsigned i = 0; i < 3; i++)
		runs[i] = (struct runs){.nevents = 1,
					.event = &event,
					.n = 10,
					.value = value[i],
					.quality = quality};
	return stop_is_due(&stop, (const struct runs *[]){&runs[0], &runs[1], &runs[2]},
			   3, 0);
}

/* The change from each reference must be known, and both ends of its interval. */
static void test_intervals(void **state)
{
	uint64_t a[10], b[10], lower[10], higher[10];

	(void)state;
	for (size_t k = 0; k < 10; k++) {
		a[k] = 900 + k % 2;
		b[k] = 1200;
		lower[k] = k % 5 ? 1200 : 900;
		higher[k] = k % 5 ? 1200 : 1500;
	}
	assert_int_equal(are_enough(a, a, b), 1);
	assert_int_equal(are_enough(a, a, lower), 0);
	assert_int_equal(are_enough(a, a, higher), 0);
	assert_int_equal(are_enough(a, lower, b), 0);
	assert_int_equal(are_enough(lower, a, b), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_rounds),
					   cmocka_unit_test(test_intervals)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
