/* Names and their numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "suite/by/names.h"

enum { MANY = 5000 };

/* Each name gets the next number, and keeps it. */
static void test_many(void **state)
{
	struct names names = {.n = 0};
	unsigned number = 77;
	char text[32];

	(void)state;
	assert_int_equal(names_find(&names, "0", 1, &number), 0);
	assert_int_equal(number, 77);
	for (unsigned round = 0; round < 2; round++)
		for (unsigned i = 0; i < MANY; i++) {
			const int len = snprintf(text, sizeof text, "%u", i);

			assert_int_equal(names_number(&names, text, (size_t)len, &number),
					 round == 0);
			assert_int_equal(number, i);
		}
	assert_int_equal(names.n, MANY);
	for (unsigned i = 0; i < MANY; i++) {
		const int len = snprintf(text, sizeof text, "%u", i);

		assert_string_equal(names.entry[i]->text, text);
		assert_int_equal(names_find(&names, text, (size_t)len, &number), 1);
		assert_int_equal(number, i);
	}
	assert_int_equal(names_find(&names, "x", 1, &number), 0);
	names_free(&names);
	assert_int_equal(names.n, 0);
}

/* A NUL is a part of a name, and the end of another name does not matter. */
static void test_bytes(void **state)
{
	static const struct {
		int line;
		const char *text;
		size_t len;
		unsigned number;
	} t[] = {
		{__LINE__, "", 0, 0},	  {__LINE__, "a", 1, 1},
		{__LINE__, "a\0", 2, 2},  {__LINE__, "a\0b", 3, 3},
		{__LINE__, "a\0c", 2, 2}, {__LINE__, "ab", 1, 1},
	};
	struct names names = {.n = 0};

	(void)state;
	for (size_t i = 0; i < sizeof t / sizeof t[0]; i++) {
		unsigned number;

		assert_true(names_number(&names, t[i].text, t[i].len, &number) >= 0);
		if (number != t[i].number)
			fail_msg("line %d: %u", t[i].line, number);
	}
	assert_int_equal(names.entry[3]->len, 3);
	assert_int_equal(names.entry[3]->text[3], '\0');
	names_free(&names);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_bytes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
