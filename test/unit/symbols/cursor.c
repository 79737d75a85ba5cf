#include "symbols/cursor.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#define BYTES(...) (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__})

/* Numbers of variable length, as DWARF 5 (section 7.6) writes them. */
static const struct {
	int line;
	const uint8_t *bytes;
	size_t size;
	uint64_t plain;
	int64_t with_sign;
	int is_past;
} numbers[] = {
	{__LINE__, BYTES(0x02), 2, 2, 0},
	{__LINE__, BYTES(0x7e), 126, -2, 0},
	{__LINE__, BYTES(0xff, 0x00), 127, 127, 0},
	{__LINE__, BYTES(0x81, 0x7f), 16257, -127, 0},
	{__LINE__, BYTES(0x80), 0, 0, 1},
	{__LINE__, BYTES(0xff, 0xff, 0xff), 0, 0, 1},
};

static void lengths_vary(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		const struct section s = {numbers[i].bytes, numbers[i].size, 0};
		struct cursor plain = cursor_at(&s, 0), with_sign = cursor_at(&s, 0);

		if (cursor_leb(&plain) != numbers[i].plain ||
		    cursor_sleb(&with_sign) != numbers[i].with_sign ||
		    cursor_is_past(&plain) != numbers[i].is_past ||
		    cursor_is_past(&with_sign) != numbers[i].is_past)
			fail_msg("line %d: another number", numbers[i].line);
	}
}

static void numbers_have_an_order(void **state)
{
	static const uint8_t bytes[] = {1, 2, 3, 4};
	struct section s = {bytes, sizeof(bytes), 0};
	struct cursor c = cursor_at(&s, 0);

	(void)state;
	assert_int_equal(cursor_number(&c, 4), 0x04030201);
	s.is_big_endian = 1;
	c = cursor_at(&s, 1);
	assert_int_equal(cursor_number(&c, 2), 0x0203);
	assert_int_equal(cursor_is_past(&c), 0);
	assert_int_equal(cursor_number(&c, 2), 0);
	assert_int_equal(cursor_is_past(&c), 1);
}

static void strings_end(void **state)
{
	static const uint8_t bytes[] = {'a', 'b', 0, 'c', 'd'};
	const struct section s = {bytes, sizeof(bytes), 0};
	struct cursor c = cursor_at(&s, 0), limited = c;

	(void)state;
	assert_string_equal(cursor_string(&c, 3), "ab");
	assert_int_equal(cursor_is_past(&c), 0);
	assert_null(cursor_string(&c, 3));
	assert_int_equal(cursor_is_past(&c), 1);
	assert_null(cursor_string(&c, 3));
	assert_null(cursor_string(&limited, 2));
	assert_int_equal(cursor_is_past(&limited), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lengths_vary),
		cmocka_unit_test(numbers_have_an_order),
		cmocka_unit_test(strings_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
