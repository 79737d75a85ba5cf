#include "base/words.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const struct {
	int line;
	const char *text;
	unsigned n;
	const char *words; /* the words, each with a '|' behind it */
	const char *rest;
} cases[] = {
	{__LINE__, "", 0, "", ""},
	{__LINE__, " \t\r ", 0, "", ""},
	{__LINE__, "# a comment", 0, "", ""},
	{__LINE__, "a", 1, "a|", ""},
	{__LINE__, "\ta\r", 1, "a|", ""},
	{__LINE__, "a  b\tc ", 3, "a|b|c|", "b\tc"},
	{__LINE__, "a #b c", 1, "a|", ""},
	{__LINE__, "a b# c", 3, "a|b#|c|", "b# c"},
	{__LINE__, "a b # c", 2, "a|b|", "b"},
	{__LINE__, "1 2 3 4 5", 5, "1|2|3|4|5|", "2 3 4 5"},
	{__LINE__, "1 2 3 4 5 6", 6, "1|2|3|4|5|", "2 3 4 5 6"},
	{__LINE__, "1 2 3 4 5 6 7 8 # 9", 6, "1|2|3|4|5|", "2 3 4 5 6 7 8"},
};

/* The character behind the end would be part of a word. */
static void test_split(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct line_words w;
		char text[64], words[64] = "", rest[64];

		snprintf(text, sizeof text, "%sX", cases[i].text);
		words_split(&w, text, text + strlen(cases[i].text));
		for (unsigned k = 0; k < w.n && k < WORDS_MOST; k++) {
			const size_t len = strlen(words);

			snprintf(words + len, sizeof words - len, "%.*s|",
				 WORD(w.word[k]));
		}
		snprintf(rest, sizeof rest, "%.*s", (int)w.rest.len,
			 w.rest.s ? w.rest.s : "");
		if (w.n != cases[i].n || strcmp(words, cases[i].words) != 0 ||
		    strcmp(rest, cases[i].rest) != 0)
			fail_msg("line %d: %u '%s' '%s'", cases[i].line, w.n, words,
				 rest);
	}
}

static void test_is(void **state)
{
	const struct word w = {"ab", 1};

	(void)state;
	assert_true(word_is(w, "a"));
	assert_false(word_is(w, "ab"));
	assert_false(word_is(w, "b"));
	assert_false(word_is(w, ""));
}

/* A long word is shown in part. */
static void test_shown(void **state)
{
	char text[100], shown[100];
	const struct word w = {memset(text, 'x', sizeof text), sizeof text};

	(void)state;
	snprintf(shown, sizeof shown, "%.*s", WORD(w));
	assert_int_equal(strlen(shown), WORD_SHOWN);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_split),
		cmocka_unit_test(test_is),
		cmocka_unit_test(test_shown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
