#include "engine/kernel/candidates.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const struct {
	int line;
	const char *list;
	int rc, approximate;
	uint64_t factor;
	const char *terms; /* joined by blanks */
	const char *text, *rest;
} cases[] = {
	{__LINE__, "perf::CYCLES", 1, 0, 1, "perf::CYCLES", "perf::CYCLES", NULL},
	{__LINE__, "~A:B|C", 1, 1, 1, "A:B", "~A:B", "C"},
	{__LINE__, "A+B+C:D=3|~4*E", 1, 0, 1, "A B C:D=3", "A+B+C:D=3", "~4*E"},
	{__LINE__, "~4*E", 1, 1, 4, "E", "~4*E", NULL},
	{__LINE__, "10*E+F", 1, 0, 10, "E F", "10*E+F", NULL},
	{__LINE__, "32_BYTE_FETCH|X", 1, 0, 1, "32_BYTE_FETCH", "32_BYTE_FETCH", "X"},
	{__LINE__, "", 0, 0, 0, NULL, NULL, NULL},
	{__LINE__, NULL, 0, 0, 0, NULL, NULL, NULL},
	{__LINE__, "|A", -1, 0, 0, NULL, NULL, NULL},
	{__LINE__, "~", -1, 0, 0, NULL, NULL, NULL},
	{__LINE__, "4*", -1, 0, 0, NULL, NULL, NULL},
	{__LINE__, "*A", -1, 0, 0, NULL, NULL, NULL},
	{__LINE__, "0*A", -1, 0, 0, NULL, NULL, NULL},
	{__LINE__, "A+", -1, 0, 0, NULL, NULL, NULL},
	{__LINE__, "+A", -1, 0, 0, NULL, NULL, NULL},
	{__LINE__, "A++B", -1, 0, 0, NULL, NULL, NULL},
	{__LINE__, "A+B+C+D", 1, 0, 1, "A B C D", "A+B+C+D", NULL},
	{__LINE__, "A+B+C+D+E", -1, 0, 0, NULL, NULL, NULL},
};

static int same(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

static void parses_lists(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct kernel_candidate c;
		const char *rest = NULL;
		char terms[KERNEL_CANDIDATES_LEN] = "";
		errno = 0;
		const int rc = kernel_candidates_next(cases[i].list, &rest, &c);
		for (unsigned k = 0; rc > 0 && k < c.n; k++)
			snprintf(terms + strlen(terms), sizeof(terms) - strlen(terms),
				 "%s%s", k ? " " : "", c.term[k]);
		int good = rc == cases[i].rc;
		if (rc > 0)
			good = good && c.approximate == cases[i].approximate &&
			       c.factor == cases[i].factor &&
			       same(terms, cases[i].terms) &&
			       same(c.text, cases[i].text) && same(rest, cases[i].rest);
		if (rc < 0)
			good = good && errno == EINVAL;
		if (!good)
			fail_msg("line %d: rc %d, terms '%s'", cases[i].line, rc, terms);
	}
}

static void refuses_long_candidates(void **state)
{
	(void)state;
	char list[KERNEL_CANDIDATES_LEN + 1];
	struct kernel_candidate c;
	const char *rest;

	memset(list, 'A', sizeof(list));
	list[KERNEL_CANDIDATES_LEN] = '\0';
	assert_int_equal(kernel_candidates_next(list, &rest, &c), -1);
	list[KERNEL_CANDIDATES_LEN - 1] = '\0';
	assert_int_equal(kernel_candidates_next(list, &rest, &c), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parses_lists),
		cmocka_unit_test(refuses_long_candidates),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
