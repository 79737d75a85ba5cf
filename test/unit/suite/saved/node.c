/* The values of JSON texts: members, elements, numbers and copies. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "suite/saved/scan.h"

static void test_numbers(void **state)
{
	static const struct {
		int line;
		const char *text;
		uint64_t most, v;
		int rc;
	} t[] = {
		{__LINE__, "0", 0, 0, 0},
		{__LINE__, "7", 7, 7, 0},
		{__LINE__, "8", 7, 0, -1},
		{__LINE__, "-1", 7, 0, -1},
		{__LINE__, "-0", 7, 0, 0},
		{__LINE__, "9007199254740993", UINT64_MAX, (UINT64_C(1) << 53) + 1, 0},
		{__LINE__, "9223372036854775807", UINT64_MAX, INT64_MAX, 0},
		{__LINE__, "9223372036854775809", UINT64_MAX, (UINT64_C(1) << 63) + 1, 0},
		{__LINE__, "18446744073709551615", UINT64_MAX, UINT64_MAX, 0},
		{__LINE__, "18446744073709551615", INT64_MAX, 0, -1},
		{__LINE__, "18446744073709551616", UINT64_MAX, 0, -1},
		{__LINE__, "40000000000000000000", UINT64_MAX, 0, -1},
		{__LINE__, "2.0", 7, 2, 0},
		{__LINE__, "1e3", 1000, 1000, 0},
		{__LINE__, "2.5", 7, 0, -1},
		{__LINE__, "\"2\"", 7, 0, -1},
		{__LINE__, "null", 7, 0, -1},
		{__LINE__, "[2]", 7, 0, -1},
	};
	struct scan s = {.node = NULL};

	(void)state;
	for (unsigned i = 0; i < sizeof t / sizeof t[0]; i++) {
		char text[128];
		uint64_t v = 0;

		snprintf(text, sizeof text, "{\"v\":%s}", t[i].text);
		assert_int_equal(scan_text(&s, text, strlen(text)), 0);
		const int rc = saved_number(s.node, "v", t[i].most, &v);
		if (rc != t[i].rc || (rc == 0 && v != t[i].v))
			fail_msg("line %d: %d", t[i].line, rc);
		assert_int_equal(saved_number(s.node, "w", t[i].most, &v), -1);
	}
	scan_free(&s);
}

#define TEXT "{\"flat\":[1,2.5,\"x\"],\"deep\":[[1],{},7],\"yes\":true,\"no\":false}"

static void test_members(void **state)
{
	struct scan s = {.node = NULL};

	(void)state;
	assert_int_equal(scan_text(&s, TEXT, strlen(TEXT)), 0);
	const struct saved_node *flat = saved_member(s.node, "flat"),
				*deep = saved_member(s.node, "deep");
	assert_int_equal(saved_size(flat), 3);
	assert_true(saved_real(saved_element(flat, 0)) == 1);
	assert_true(saved_real(saved_element(flat, 1)) == 2.5);
	assert_string_equal(saved_string(saved_element(flat, 2)), "x");
	assert_null(saved_element(flat, 3));
	assert_int_equal(saved_size(deep), 3);
	assert_true(saved_is(saved_element(deep, 1), NODE_OBJECT));
	assert_true(saved_is_number(saved_element(deep, 2)));
	assert_null(saved_element(deep, 3));
	assert_int_equal(TEXT[flat->at], '[');
	assert_int_equal(TEXT[saved_element(deep, 2)->at], '7');
	assert_true(saved_is_true(s.node, "yes"));
	assert_false(saved_is_true(s.node, "no"));
	assert_null(saved_member(flat, "flat"));
	assert_null(saved_first(s.node));
	assert_null(saved_first_member(flat));
	assert_null(saved_first_member(saved_element(deep, 1)));
	scan_free(&s);
}

static void test_nothing(void **state)
{
	uint64_t v;

	(void)state;
	assert_null(saved_member(NULL, "x"));
	assert_int_equal(saved_size(NULL), 0);
	assert_null(saved_element(NULL, 0));
	assert_null(saved_first(NULL));
	assert_null(saved_first_member(NULL));
	assert_false(saved_is(NULL, NODE_NULL));
	assert_false(saved_is_number(NULL));
	assert_null(saved_string(NULL));
	assert_true(saved_real(NULL) == 0);
	assert_int_equal(saved_value(NULL, UINT64_MAX, &v), -1);
	assert_null(saved_text(NULL, "x"));
	assert_false(saved_is_true(NULL, "x"));
}

/* A copy does not need the text, nor what scanned it. */
static void test_copy(void **state)
{
	struct scan s = {.node = NULL};

	(void)state;
	assert_int_equal(scan_text(&s, TEXT, strlen(TEXT)), 0);
	struct saved_node *all = saved_copy(s.node),
			  *part = saved_copy(saved_member(s.node, "flat"));
	scan_free(&s);
	assert_non_null(all);
	assert_int_equal(all->n, 4);
	assert_true(saved_is_true(all, "yes"));
	assert_string_equal(saved_string(saved_element(saved_member(all, "flat"), 2)),
			    "x");
	assert_string_equal(part->key, "flat");
	assert_string_equal(saved_string(saved_element(part, 2)), "x");
	free(all);
	free(part);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_members),
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_copy),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
