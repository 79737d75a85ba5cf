/* Command lines as sh cuts them. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/shell.h"

static void test_words(void **state)
{
	static const struct {
		int line;
		const char *text;
		const char *word[5]; /* the first NULL: malformed */
	} t[] = {
		{__LINE__, "a", {"a"}},
		{__LINE__, "  ab\t c\n", {"ab", "c"}},
		{__LINE__, "a b c d", {"a", "b", "c", "d"}},
		{__LINE__, "'a b' \"c d\"", {"a b", "c d"}},
		{__LINE__, "a'b c'd", {"ab cd"}},
		{__LINE__, "'' \"\"", {"", ""}},
		{__LINE__, "a\\ b \\'", {"a b", "'"}},
		{__LINE__, "'a\\b' \"a\\b\"", {"a\\b", "a\\b"}},
		{__LINE__, "\"\\\" \\\\ \\$ \\`\"", {"\" \\ $ `"}},
		{__LINE__, "'$x | *' \"|*?\"", {"$x | *", "|*?"}},
		{__LINE__, "\\$x \\| \\*", {"$x", "|", "*"}},
		{__LINE__, "a=1 {b}", {"a=1", "{b}"}},
		{__LINE__, "a~ a#b", {"a~", "a#b"}},
		{__LINE__, "\xc3\xa9 \xff", {"\xc3\xa9", "\xff"}},
		{__LINE__, "'a", {NULL}},
		{__LINE__, "\"a", {NULL}},
		{__LINE__, "\"a\\", {NULL}},
		{__LINE__, "a\\", {NULL}},
		{__LINE__, "a | b", {NULL}},
		{__LINE__, "a > b", {NULL}},
		{__LINE__, "a; b", {NULL}},
		{__LINE__, "$a", {NULL}},
		{__LINE__, "\"$a\"", {NULL}},
		{__LINE__, "`a`", {NULL}},
		{__LINE__, "*.c", {NULL}},
		{__LINE__, "a ~", {NULL}},
		{__LINE__, "a # b", {NULL}},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof t / sizeof t[0]; i++) {
		char **word = shell_words(t[i].text);
		unsigned n = 0;

		if (!t[i].word[0]) {
			if (word || errno != EINVAL)
				fail_msg("line %d: accepted", t[i].line);
			continue;
		}
		if (!word)
			fail_msg("line %d: refused", t[i].line);
		for (; word[n] && t[i].word[n]; n++)
			if (strcmp(word[n], t[i].word[n]) != 0)
				fail_msg("line %d: '%s', not '%s'", t[i].line, word[n],
					 t[i].word[n]);
		if (word[n] || t[i].word[n])
			fail_msg("line %d: another number of words than %u", t[i].line,
				 n);
		free(word);
	}
}

/* Blanks alone are no words. */
static void test_empty(void **state)
{
	static const char *const text[] = {"", " \t\n"};

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		char **word = shell_words(text[i]);

		assert_non_null(word);
		assert_null(word[0]);
		free(word);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_words),
					   cmocka_unit_test(test_empty)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
