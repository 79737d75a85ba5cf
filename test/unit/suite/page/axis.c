/* Axes cover their range in round steps, and their labels have the right unit. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "suite/page/axis.h"

/* The labels from low to high, with blanks between them, and the suffix. */
static char *labels(const struct axis *a)
{
	struct textbuf b = {0};

	for (unsigned i = 0; i < axis_labels(a); i++) {
		axis_put(&b, a, axis_value(a, i));
		textbuf_char(&b, ' ');
	}
	textbuf_str(&b, a->suffix);
	return textbuf_end(&b);
}

static void test_labels(void **state)
{
	static const struct {
		int line;
		double low, high;
		enum axis_unit unit;
		const char *want;
	} t[] = {
		{__LINE__, 170, 174, AXIS_COUNT, "170 171 172 173 174 "},
		{__LINE__, 5, 5, AXIS_COUNT, "4 5 6 "},
		{__LINE__, 0, 0, AXIS_COUNT, "-1 0 1 "},
		{__LINE__, 1000, 1000, AXIS_COUNT, "980 990 1000 1010 1020 "},
		{__LINE__, 0, 39e6, AXIS_COUNT, "0 10 20 30 40  M"},
		{__LINE__, 12345, 12399, AXIS_COUNT, "12.34 12.36 12.38 12.40  k"},
		{__LINE__, 39.2e6, 41.3e6, AXIS_NS, "39 40 41 42  ms"},
		{__LINE__, 0.68e6, 1.01e6, AXIS_NS, "0.6 0.7 0.8 0.9 1.0 1.1  ms"},
		{__LINE__, 3e9, 3.1e9, AXIS_NS, "3.00 3.05 3.10  s"},
		{__LINE__, -0.021, 0.033, AXIS_RATIO, "-4 -2 0 2 4  %"},
		{__LINE__, -0.0011, 0.0012, AXIS_RATIO, "-0.2 -0.1 0.0 0.1 0.2  %"},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof t / sizeof *t; i++) {
		struct axis a;

		axis_fit(&a, t[i].low, t[i].high, t[i].unit);
		char *text = labels(&a);
		if (strcmp(text, t[i].want) != 0)
			fail_msg("line %d: %s", t[i].line, text);
		assert_true(a.low <= t[i].low && t[i].high <= a.high);
		free(text);
	}
}

static void test_place(void **state)
{
	struct axis a;

	(void)state;
	axis_fit(&a, 0, 100, AXIS_COUNT);
	assert_true(axis_place(&a, 0) == 0 && axis_place(&a, 100) == 1);
	assert_true(fabs(axis_place(&a, 25) - 0.25) < 1e-9);
	assert_true(axis_place(&a, -1) == 0 && axis_place(&a, 101) == 1);
}

/* Any range has a few labels in ascending order. */
static void test_random(void **state)
{
	(void)state;
	srand(7);
	for (int i = 0; i < 20000; i++) {
		struct axis a;
		const double low = ldexp(rand() - RAND_MAX / 2, rand() % 60 - 31);
		const double high =
			low + fmax(fabs(low) * 1e-6, ldexp(rand(), rand() % 60 - 31));

		axis_fit(&a, low, high, (enum axis_unit)(i % 3));
		const unsigned n = axis_labels(&a);
		if (n < 2 || n > 8 || !(a.low <= low) || !(a.high >= high) ||
		    a.decimals < 0)
			fail_msg("%.17g .. %.17g: %u labels from %g to %g", low, high, n,
				 a.low, a.high);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_labels),
		cmocka_unit_test(test_place),
		cmocka_unit_test(test_random),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
