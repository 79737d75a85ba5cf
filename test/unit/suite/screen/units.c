/* Numbers and times in few characters. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "suite/screen/units.h"

static const struct {
	int line;
	double value;
	const char *unit;
	unsigned width;
	const char *text;
} values[] = {
	{__LINE__, 0, NULL, 0, "0"},
	{__LINE__, 7, "1", 6, "     7"},
	{__LINE__, 9999, "1", 6, "  9999"},
	{__LINE__, 9999.4, "cycles", 0, "9999"},
	{__LINE__, 9999.5, "cycles", 0, "10.0k"},
	{__LINE__, 99949, NULL, 0, "99.9k"},
	{__LINE__, 99950, NULL, 0, "100k"},
	{__LINE__, 999499, NULL, 0, "999k"},
	{__LINE__, 999500, NULL, 0, "1.00M"},
	{__LINE__, 1234567890, NULL, 0, "1.23G"},
	{__LINE__, 1.8446744073709552e19, NULL, 0, "18.4E"},
	{__LINE__, 0, "ns", 6, "     0"},
	{__LINE__, 1, "ns", 0, "1ns"},
	{__LINE__, 999.4, "ns", 0, "999ns"},
	{__LINE__, 1000, "ns", 0, "1.00us"},
	{__LINE__, 98765432, "ns", 6, "98.8ms"},
	{__LINE__, 1e9, "ns", 6, " 1.00s"},
	{__LINE__, 1.8446744073709552e19, "ns", 0, "18447Ms"},
};

static const struct {
	int line;
	int64_t ns;
	const char *text;
} intervals[] = {
	{__LINE__, INT64_C(3600000000000), "3600 s"},
	{__LINE__, 1500000000, "1500 ms"},
	{__LINE__, 20000, "20 us"},
	{__LINE__, 333333333, "333333333 ns"},
};

static void expect(int line, struct textbuf *b, const char *wanted)
{
	char *text = textbuf_end(b);

	assert_non_null(text);
	if (strcmp(text, wanted) != 0)
		fail_msg("line %d: '%s'", line, text);
	free(text);
}

static void test_values(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
		struct textbuf b = {0};

		units_put(&b, values[i].value, values[i].unit, values[i].width);
		expect(values[i].line, &b, values[i].text);
	}
}

static void test_intervals(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof intervals / sizeof *intervals; i++) {
		struct textbuf b = {0};

		units_interval(&b, intervals[i].ns);
		expect(intervals[i].line, &b, intervals[i].text);
	}
}

static void test_us(void **state)
{
	static const struct {
		uint64_t ns, us;
	} t[] = {
		{0, 0},	   {499, 0},	   {500, 1},
		{1499, 1}, {999500, 1000}, {UINT64_MAX, 18446744073709552},
	};

	(void)state;
	for (size_t i = 0; i < sizeof t / sizeof t[0]; i++)
		assert_int_equal(units_us(t[i].ns), t[i].us);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_values),
					   cmocka_unit_test(test_intervals),
					   cmocka_unit_test(test_us)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
