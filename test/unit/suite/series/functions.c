/* The functions of two runs as text, Markdown and CSV. */
#include "suite/series/functions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define LEN(a) (sizeof(a) / sizeof(*(a)))

static const struct runs_event events[] = {
	{.name = "insn", .mode = "user", .unit = "1", .kind = RUNS_COUNT},
	{.name = "load", .mode = "", .unit = "1", .kind = RUNS_COUNT},
	{.name = "elapsed", .mode = NULL, .unit = "ns", .kind = RUNS_NOISY},
};

static struct runs make_runs(const char *command, uint64_t insn, uint64_t load)
{
	static const cpc_class_t quality[] = {CPC_SIMULATED, CPC_SIMULATED, CPC_EXACT};
	struct runs s = {.command = command, .nevents = LEN(events), .event = events};

	for (unsigned i = 0; i < 5; i++)
		assert_int_equal(runs_add(&s, (uint64_t[]){insn, load, i}, quality), 0);
	return s;
}

/* The counts of two functions, and of one in a library. */
static struct where *make_where(double sort, double read, double copy)
{
	const struct where_function f[] = {{.name = "sort"},
					   {.name = "read, \"all\""},
					   {.name = "copy", .module = "libc.so.6"}};
	const double v[] = {sort, read, copy};
	struct where *w = where_new(LEN(events));

	assert_non_null(w);
	for (unsigned i = 0; i < LEN(f); i++) {
		double *value = where_at(w, &f[i]);

		assert_non_null(value);
		value[0] = value[1] = v[i];
	}
	where_sort(w);
	return w;
}

static void same(struct textbuf *b, const char *want, int line)
{
	char *text = textbuf_end(b);

	assert_non_null(text);
	if (strcmp(text, want) != 0)
		fail_msg("line %d: %s\nnot\n%s", line, text, want);
	free(text);
	*b = (struct textbuf){0};
}

/* The event load has the same counts in both. */
static void differences(void **state)
{
	struct runs was = make_runs("old", 1000, 7), now = make_runs("new", 1100, 7);
	struct where *a = make_where(500, 300, 200), *b = make_where(590, 310, 200);
	const struct functions_side side = {"base", -1, &was, a};
	const struct functions_sides s = {
		.b = {"new", 0, &now, b}, .n = 1, .a = &side, .alpha = 0.05};
	static const char text[] =
		"functions that differ from base, in one more run of each\n"
		"insn  1000 -> 1100\n"
		"  sort          +9.00 % of +10.00 %   500 -> 590\n"
		"  read, \"all\"   +1.00 % of +10.00 %   300 -> 310\n";
	struct textbuf out = {0};

	(void)state;
	assert_int_equal(functions_put(&out, &s, 0), 0);
	same(&out, text, __LINE__);
	functions_csv_title(&out);
	assert_int_equal(functions_csv(&out, &s), 0);
	same(&out,
	     "command,reference,event,mode,function,module,source,a,b,change,share\n"
	     "new,base,insn,user,sort,,,500,590,90,0.09\n"
	     "new,base,insn,user,\"read, \"\"all\"\"\",,,300,310,10,0.01\n",
	     __LINE__);
	assert_int_equal(functions_markdown(&out, &s), 0);
	char *md = textbuf_end(&out);
	assert_memory_equal(md, "\n```\nfunctions that differ from base, ", 38);
	assert_string_equal(md + strlen(md) - 5, "\n```\n");
	free(md);
	where_free(a);
	where_free(b);
	runs_free(&was);
	runs_free(&now);
}

/* Nothing is appended if a side has no counts by function, or if no event differs. */
static void nothing(void **state)
{
	struct runs runs = make_runs("same", 1000, 7), other = make_runs("other", 9, 7);
	struct where *w = make_where(500, 300, 200);
	const struct {
		int line;
		struct functions_side a, b;
	} t[] = {
		{__LINE__, {"a", 0, &runs, w}, {"b", 1, &runs, w}},
		{__LINE__, {"a", 0, &other, NULL}, {"b", 1, &runs, w}},
		{__LINE__, {"a", 0, &other, w}, {"b", 1, &runs, NULL}},
	};

	(void)state;
	for (unsigned i = 0; i < LEN(t); i++) {
		const struct functions_sides s = {
			.b = t[i].b, .n = 1, .a = &t[i].a, .alpha = 0.05};
		struct textbuf out = {0};

		assert_int_equal(functions_put(&out, &s, 0), 0);
		assert_int_equal(functions_csv(&out, &s), 0);
		assert_int_equal(functions_markdown(&out, &s), 0);
		same(&out, "", t[i].line);
	}
	where_free(w);
	runs_free(&runs);
	runs_free(&other);
}

/* Without a reference the functions of the command are listed, of each count. */
static void one_command(void **state)
{
	struct runs now = make_runs("new", 1000, 1000);
	struct where *w = make_where(500, 300, 200);
	const struct functions_sides s = {.b = {"new", 0, &now, w}, .alpha = 0.05};
	struct textbuf out = {0};

	(void)state;
	w->is_counted[1] = 0;
	assert_int_equal(functions_csv(&out, &s), 0);
	same(&out,
	     "new,,insn,user,sort,,,,500,,0.5\n"
	     "new,,insn,user,\"read, \"\"all\"\"\",,,,300,,0.3\n"
	     "new,,insn,user,copy,libc.so.6,,,200,,0.2\n",
	     __LINE__);
	where_free(w);
	runs_free(&now);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(differences),
		cmocka_unit_test(nothing),
		cmocka_unit_test(one_command),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
