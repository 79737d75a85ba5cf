/* Functions of two runs: which are the same, and which have changed. */
#include "suite/where/change.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "suite/where/table.h"

enum { MOST = 16 };

struct row {
	const char *name, *module, *source;
	double value;
};

static struct where *make(const struct row *row)
{
	struct where *w = where_new(1);

	assert_non_null(w);
	for (; row->name; row++) {
		double *v = where_at(w, &(struct where_function){.name = row->name,
								 .module = row->module,
								 .source = row->source});

		assert_non_null(v);
		v[0] += row->value;
	}
	where_sort(w);
	return w;
}

/* Returns the lines that a comparison prints, for free(). */
static char *lines(const struct row *a, const struct row *b)
{
	struct where *wa = make(a), *wb = make(b);
	struct where_changes c;
	struct textbuf text = {0};

	assert_int_equal(where_compare(&c, wa, 0, wb, 0), 0);
	assert_int_equal(where_put_changes(&text, "insn", &c, 1), 0);
	where_changes_free(&c);
	where_free(wa);
	where_free(wb);
	char *s = textbuf_end(&text);
	assert_non_null(s);
	return s;
}

static const struct {
	int line;
	struct row a[MOST], b[MOST];
	const char *text;
} cases[] = {
	{__LINE__,
	 {{"f", NULL, NULL, 600}, {"g", NULL, NULL, 400}},
	 {{"g", NULL, NULL, 390}, {"f", NULL, NULL, 630}},
	 "insn  1,000 -> 1,020\n"
	 "  f             +3.00 % of +2.00 %   600 -> 630\n"
	 "  g             -1.00 % of +2.00 %   400 -> 390\n"},
	/* the same name in a library is another function */
	{__LINE__,
	 {{"f", NULL, NULL, 500}, {"f", "libx.so.1", NULL, 500}},
	 {{"f", NULL, NULL, 500}, {"f", "libx.so.1", NULL, 510}},
	 "insn  1,000 -> 1,010\n"
	 "  f (libx.so.1)   +1.00 % of +1.00 %   500 -> 510\n"},
	/* functions of one build only; the value of a function may come in parts */
	{__LINE__,
	 {{"f", NULL, NULL, 990}, {"old", NULL, NULL, 10}},
	 {{"f", NULL, NULL, 980}, {"new", NULL, NULL, 20}, {"f", NULL, NULL, 10}},
	 "insn  1,000 -> 1,010\n"
	 "  new           +2.00 % of +1.00 %   0 -> 20   only in B\n"
	 "  old           -1.00 % of +1.00 %   10 -> 0   only in A\n"},
	/* static functions of a name: by source file, unless each side has one */
	{__LINE__,
	 {{"f", NULL, "a.c", 500}, {"f", NULL, "b.c", 500}},
	 {{"f", NULL, "b.c", 520}, {"f", NULL, "a.c", 500}},
	 "insn  1,000 -> 1,020\n"
	 "  f (b.c)       +2.00 % of +2.00 %   500 -> 520\n"},
	{__LINE__,
	 {{"f", "x", "a.c", 500}, {"f", "x", "b.c", 500}},
	 {{"f", "x", "b.c", 500}},
	 "insn  1,000 -> 500\n"
	 "  f (a.c, x)   -50.00 % of -50.00 %   500 -> 0   only in A\n"},
	{__LINE__,
	 {{"f", NULL, "old.c", 1000}},
	 {{"f", NULL, "new.c", 1010}},
	 "insn  1,000 -> 1,010\n"
	 "  f             +1.00 % of +1.00 %   1,000 -> 1,010\n"},
	{__LINE__,
	 {{"f", NULL, NULL, 1000}},
	 {{"f", NULL, "new.c", 1000}},
	 "insn  1,000 -> 1,000, the same in each function\n"},
	/* changes below a hundredth of the largest have no line of their own */
	{__LINE__,
	 {{"f", NULL, NULL, 1000}, {"g", NULL, NULL, 1000}},
	 {{"f", NULL, NULL, 1200}, {"g", NULL, NULL, 1001}, {"h", NULL, NULL, 1}},
	 "insn  2,000 -> 2,202\n"
	 "  f            +10.00 % of +10.10 %   1,000 -> 1,200\n"
	 "  2 others      +0.10 % of +10.10 %\n"},
	/* ten lines are the most */
	{__LINE__,
	 {{"z", NULL, NULL, 100}},
	 {{"z", NULL, NULL, 100},
	  {"a", NULL, NULL, 1},
	  {"b", NULL, NULL, 1},
	  {"c", NULL, NULL, 1},
	  {"d", NULL, NULL, 1},
	  {"e", NULL, NULL, 1},
	  {"f", NULL, NULL, 1},
	  {"g", NULL, NULL, 1},
	  {"h", NULL, NULL, 1},
	  {"i", NULL, NULL, 1},
	  {"j", NULL, NULL, 1},
	  {"k", NULL, NULL, 1}},
	 "insn  100 -> 111\n"
	 "  a             +1.00 % of +11.00 %   0 -> 1   only in B\n"
	 "  b             +1.00 % of +11.00 %   0 -> 1   only in B\n"
	 "  c             +1.00 % of +11.00 %   0 -> 1   only in B\n"
	 "  d             +1.00 % of +11.00 %   0 -> 1   only in B\n"
	 "  e             +1.00 % of +11.00 %   0 -> 1   only in B\n"
	 "  f             +1.00 % of +11.00 %   0 -> 1   only in B\n"
	 "  g             +1.00 % of +11.00 %   0 -> 1   only in B\n"
	 "  h             +1.00 % of +11.00 %   0 -> 1   only in B\n"
	 "  i             +1.00 % of +11.00 %   0 -> 1   only in B\n"
	 "  j             +1.00 % of +11.00 %   0 -> 1   only in B\n"
	 "  1 other       +1.00 % of +11.00 %\n"},
	/* estimates have fractions, whose last digits mean nothing */
	{__LINE__,
	 {{"f", NULL, NULL, 0.1 + 0.2}, {"g", NULL, NULL, 1000.6}},
	 {{"f", NULL, NULL, 0.3}, {"g", NULL, NULL, 2000.6}},
	 "insn  1,001 -> 2,001\n"
	 "  g            +99.91 % of +99.91 %   1,001 -> 2,001\n"},
	/* a count that was 0 has no percents */
	{__LINE__,
	 {{"f", NULL, NULL, 0}},
	 {{"f", NULL, NULL, 7}},
	 "insn  0 -> 7\n"
	 "  f                  +7 of +7   0 -> 7\n"},
	/* a name cannot contain commands to a terminal */
	{__LINE__,
	 {{"a\033b", NULL, NULL, 100}},
	 {{"a\033b", NULL, NULL, 101}},
	 "insn  100 -> 101\n"
	 "  a?b           +1.00 % of +1.00 %   100 -> 101\n"},
};

static void changes_are_printed(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		char *s = lines(cases[i].a, cases[i].b);

		if (strcmp(s, cases[i].text) != 0)
			fail_msg("line %d:\n%s", cases[i].line, s);
		free(s);
	}
}

/* A function that has moved to another file has the new one. */
static void sources_are_those_of_b(void **state)
{
	struct where *a = make((struct row[]){{"f", NULL, "old.c", 1}, {0}});
	struct where *b = make((struct row[]){{"f", NULL, "new.c", 2}, {0}});
	struct where_changes c;

	(void)state;
	assert_int_equal(where_compare(&c, a, 0, b, 0), 0);
	assert_int_equal(c.n, 1);
	assert_string_equal(c.change[0].function->source, "new.c");
	assert_true(c.change[0].in_a && c.change[0].in_b);
	where_changes_free(&c);
	where_free(a);
	where_free(b);
}

static void shares_are_printed(void **state)
{
	static const struct row rows[] = {{"f", NULL, NULL, 250},
					  {"g", "libx.so", NULL, 750},
					  {"[no symbol]", NULL, NULL, 5},
					  {NULL, NULL, NULL, 0}};
	struct where *w = make(rows);
	struct where_changes c;
	struct textbuf b = {0};

	(void)state;
	assert_int_equal(where_shares(&c, w, 0), 0);
	where_put_shares(&b, "insn", &c, 0);
	where_changes_free(&c);
	char *s = textbuf_end(&b);
	assert_string_equal(s, "insn  1005\n"
			       "   74.63 %             750   g (libx.so)\n"
			       "   24.88 %             250   f\n"
			       "    0.50 %               5   1 other\n");
	free(s);
	where_free(w);
}

/* More functions than the first table has room for. */
static void many_functions_are_found_again(void **state)
{
	enum { N = 5000 };
	struct where *w = where_new(2);
	char name[16];

	(void)state;
	assert_non_null(w);
	for (int k = 0; k < 2; k++)
		for (int i = 0; i < N; i++) {
			snprintf(name, sizeof name, "f%d", i);
			const struct where_function f = {.name = name};
			double *v = where_at(w, &f);

			assert_non_null(v);
			v[k] += i;
		}
	assert_int_equal(w->n, N);
	assert_true(where_total(w, 0) == N * (N - 1) / 2.0);
	assert_true(where_total(w, 1) == N * (N - 1) / 2.0);
	where_sort(w);
	for (size_t i = 1; i < w->n; i++)
		assert_true(where_order(w->function[i - 1], w->function[i]) < 0);
	where_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(changes_are_printed),
		cmocka_unit_test(sources_are_those_of_b),
		cmocka_unit_test(shares_are_printed),
		cmocka_unit_test(many_functions_are_found_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
