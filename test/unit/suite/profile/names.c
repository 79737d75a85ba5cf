/* The names of functions, places and modules, some of which are not known. */
#include "suite/profile/names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "made.h"

/* sign of the order of two strings, and of the same two the other way round */
static void check_order(const char *a, const char *b, int sign)
{
	const int order = names_compare(a, b), other = names_compare(b, a);

	assert_int_equal((order > 0) - (order < 0), sign);
	assert_int_equal((other > 0) - (other < 0), -sign);
}

static void test_order(void **state)
{
	const char one[] = "alpha", same[] = "alpha";

	(void)state;
	check_order(one, one, 0);
	check_order(one, same, 0);
	check_order(one, "beta", -1);
	check_order(one, "alph", 1);
	check_order(one, NULL, -1);
	check_order("", NULL, -1);
	check_order(NULL, NULL, 0);
}

static void test_modules(void **state)
{
	(void)state;
	assert_string_equal(names_module("/usr/lib/libc.so.6"), "libc.so.6");
	assert_string_equal(names_module("libc.so.6"), "libc.so.6");
	assert_string_equal(names_module("/usr/lib/"), "/usr/lib/");
	assert_string_equal(names_module(""), "");
	assert_string_equal(names_module(NULL), "[no file]");
}

static void test_frames(void **state)
{
	static const struct {
		int line;
		struct symbols_frame frame;
		const char *function, *place;
	} cases[] = {
		{__LINE__,
		 {"alpha", 0x10, "/bin/one", NULL, 0, 0, NULL},
		 "alpha",
		 "alpha+0x10"},
		{__LINE__,
		 {"alpha", 0x10, NULL, NULL, 0, 0, NULL},
		 "alpha",
		 "alpha+0x10"},
		{__LINE__,
		 {NULL, 0x40, "/lib/two", NULL, 0, 0, NULL},
		 "two [no symbol]",
		 "two+0x40"},
		/* the offset is an address */
		{__LINE__, {NULL, 0xb008, NULL, NULL, 0, 0, NULL}, "[no file]", "0xb008"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct textbuf function = {0}, place = {0};

		names_function(&function, &cases[i].frame);
		names_place(&place, &cases[i].frame);
		char *text = textbuf_end(&function), *at = textbuf_end(&place);
		assert_string_equal(text, cases[i].function);
		assert_string_equal(at, cases[i].place);
		free(text);
		free(at);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_modules),
		cmocka_unit_test(test_frames),
	};

	return cmocka_run_group_tests_name("suite/profile/names", tests, NULL, NULL);
}
