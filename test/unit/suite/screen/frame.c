/* Blocks of lines as a small terminal shows them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "suite/screen/frame.h"
#include "vt.h"

static void draw(struct vt *t, const struct frame *f, const char *block, int last)
{
	struct textbuf b = {0};

	frame_draw(&b, f, block, last);
	char *text = textbuf_end(&b);
	assert_non_null(text);
	vt_write(t, text);
	free(text);
}

static const struct frame five = {.rows = 5, .columns = 10};

static void test_in_place(void **state)
{
	struct vt t = {.rows = 6, .columns = 10};

	(void)state;
	vt_write(&t, "$ cmd\r\n");
	draw(&t, &five, "one\ntwo\nthree\n", 0);
	assert_string_equal(vt_text(&t), "$ cmd\n\none\ntwo\nthree\n");
	draw(&t, &five, "1\n2\n", 0);
	assert_string_equal(vt_text(&t), "$ cmd\n\n1\n2\n");
	draw(&t, &five, "a\nb\nc\nd\ne\n", 0);
	assert_string_equal(vt_text(&t), "\na\nb\nc\nd\ne\n");
	draw(&t, &five, "x\ny\n", 1);
	assert_string_equal(vt_text(&t), "\nx\ny\n");
	vt_write(&t, "$");
	assert_string_equal(vt_text(&t), "\nx\ny\n$\n");
}

/* What a program writes stays, also without a line break at its end. */
static void test_text_of_others(void **state)
{
	struct vt t = {.rows = 6, .columns = 10};

	(void)state;
	draw(&t, &five, "one\ntwo\nthree\n", 0);
	vt_write(&t, "hello\r\n");
	draw(&t, &five, "1\n2\n3\n", 0);
	vt_write(&t, "p");
	draw(&t, &five, "4\n5\n6\n", 0);
	vt_write(&t, "art");
	draw(&t, &five, "7\n8\n9\n", 0);
	assert_string_equal(vt_text(&t), "hello\npart\n7\n8\n9\n");
}

/* A terminal whose new window did not have room left the cursor in the block. */
static void test_resized(void **state)
{
	struct vt t = {.rows = 6, .columns = 10};
	struct frame f = five;

	(void)state;
	draw(&t, &f, "one\ntwo\nthree\n", 0);
	vt_write(&t, "\r\nxy");
	f.resized = 1;
	draw(&t, &f, "1\n2\n3\n", 0);
	assert_string_equal(vt_text(&t), "\n\n1\n2\n3\n");
	assert_int_equal(t.column, 0);
}

/* The last line is full, and the block ends at the end of the screen. */
static void test_full(void **state)
{
	struct vt t = {.rows = 3, .columns = 4};
	const struct frame f = {.rows = 2, .columns = 4};

	(void)state;
	draw(&t, &f, "abcdefg\nABCD\nno room\n", 0);
	draw(&t, &f, "abcdefg\nABCDE\nno room\n", 0);
	assert_string_equal(vt_text(&t), "\nabcd\nABCD\n");
	draw(&t, &f, "", 0);
	assert_string_equal(vt_text(&t), "\nabcd\nABCD\n");
	/* The last block is written as a whole and leaves the screen. */
	draw(&t, &f, "1\n2\n3\n4\n56789\n", 1);
	assert_string_equal(vt_text(&t), "4\n5678\n");
}

static const struct {
	int line;
	unsigned columns;
	int colour;
	const char *block, *shown;
} plain[] = {
	{__LINE__, 4, 0, "\033[31mabcdef\033[0m\n", "abcd\n"},
	{__LINE__, 4, 1, "\033[31mabcdef\033[0m\n", "\033[31mabcd\033[0m\n"},
	{__LINE__, 4, 1, "\033[1;31mé\033[m", ""},
	{__LINE__, 9, 1, "a\033[2Jb\x9b\xc2\x9b\n", "a?[2Jb??\n"},
	{__LINE__, 3, 0, "日日日\n", "日\n"},
	{__LINE__, 4, 0, "日日日\n", "日日\n"},
	{__LINE__, 2, 0, "ee\xcc\x81\n\nx\ty\n", "ee\xcc\x81\n\nx?\n"},
};

static void test_plain(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
		const struct frame f = {.rows = 9,
					.columns = plain[i].columns,
					.colour = plain[i].colour};
		struct textbuf b = {0};

		frame_plain(&b, &f, plain[i].block);
		char *text = textbuf_end(&b);
		if (strcmp(text, plain[i].shown) != 0)
			fail_msg("line %d: %s", plain[i].line, text);
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_in_place), cmocka_unit_test(test_text_of_others),
		cmocka_unit_test(test_resized),	 cmocka_unit_test(test_full),
		cmocka_unit_test(test_plain),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
