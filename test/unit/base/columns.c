/* The columns that characters take. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/columns.h"

static const struct {
	int line;
	const char *text;
	size_t columns;
} cases[] = {
	{__LINE__, "", 0},
	{__LINE__, "abc", 3},
	{__LINE__, "\xc3\xa9", 1},	   /* e with an acute accent */
	{__LINE__, "e\xcc\x81", 1},	   /* e, and an accent that joins it */
	{__LINE__, "\xe2\x96\x88", 1},	   /* the full block */
	{__LINE__, "\xe2\xa3\xbf", 1},	   /* a pattern of Braille */
	{__LINE__, "\xe6\x97\xa5", 2},	   /* the sun, in Chinese */
	{__LINE__, "\xf0\x9f\x98\x80", 2}, /* a face */
	{__LINE__, "a\xff\xc3", 3},	   /* two bytes that are malformed */
};

static void test_columns(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		if (columns_text(cases[i].text) != cases[i].columns)
			fail_msg("line %d: %zu columns", cases[i].line,
				 columns_text(cases[i].text));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_columns)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
