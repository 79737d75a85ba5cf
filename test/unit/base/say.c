#include "base/say.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char *name(const void *arg, unsigned member)
{
	const char *const *const names = arg;

	return names[member];
}

/* A set is appended to the text in the buffer, and is cut off if it does not fit. */
static const struct {
	int line;
	const char *before;
	uint64_t set;
	size_t size;
	const char *after;
} sets[] = {
	{__LINE__, "", 0, 64, ""},
	{__LINE__, "", 1, 64, "a"},
	{__LINE__, "of ", 5, 64, "of a and c"},
	{__LINE__, "", 15, 64, "a, b, c and d"},
	{__LINE__, "", UINT64_C(1) << 63 | 2, 64, "b and last"},
	{__LINE__, "", 15, 10, "a, b, c a"},
	{__LINE__, "full", 15, 5, "full"},
};

static void test_sets(void **state)
{
	const char *names[64] = {"a", "b", "c", "d", [63] = "last"};
	char buf[64];

	(void)state;
	for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
		strcpy(buf, sets[i].before);
		say_set(buf, sets[i].size, sets[i].set, name, names);
		if (strcmp(buf, sets[i].after) != 0)
			fail_msg("line %d: '%s'", sets[i].line, buf);
	}
}

static void test_add(void **state)
{
	char buf[8] = "";

	(void)state;
	say_add(buf, sizeof buf, "%d,", 12);
	say_add(buf, sizeof buf, "%s", "abc");
	assert_string_equal(buf, "12,abc");
	say_add(buf, sizeof buf, "%s", "def");
	assert_string_equal(buf, "12,abcd");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sets),
		cmocka_unit_test(test_add),
	};

	return cmocka_run_group_tests_name("say", tests, NULL, NULL);
}
