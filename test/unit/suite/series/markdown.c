/* Tables of runs as Markdown, and text from outside in them; the rows of CSV. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "suite/series/csv.h"
#include "suite/series/gate.h"
#include "suite/series/markdown.h"

static void same(struct textbuf *b, const char *want, int line)
{
	char *text = textbuf_end(b);

	assert_non_null(text);
	if (strcmp(text, want) != 0)
		fail_msg("line %d: %s\nnot\n%s", line, text, want);
	free(text);
	*b = (struct textbuf){0};
}

/* What cmark-gfm 0.29 shows for each was looked at: the text, with '?' as below. */
static void test_code(void **state)
{
	static const struct {
		int line;
		const char *text, *want;
	} t[] = {
		{__LINE__, "", ""},
		{__LINE__, "gzip -c text", "`gzip -c text`"},
		{__LINE__, "a`b", "``a`b``"},
		{__LINE__, "`a``", "``` `a`` ```"},
		{__LINE__, " a", "`  a `"},
		{__LINE__, "a|b", "`a`&#124;`b`"},
		{__LINE__, "||", "&#124;&#124;"},
		{__LINE__, "a\\|`", "`a\\`&#124;`` ` ``"},
		{__LINE__, "</code><script>", "`</code><script>`"},
		{__LINE__, "a\n\n# b\r\x1b[31m", "`a??# b??[31m`"},
		{__LINE__, "\xff\xe2\x80\xae\xc3\xa9", "`??\xc3\xa9`"},
		{__LINE__, "@someone #1 <b>*x*</b> &amp;",
		 "`@someone #1 <b>*x*</b> &amp;`"},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof t / sizeof *t; i++) {
		struct textbuf b = {0};

		markdown_put_code(&b, t[i].text);
		same(&b, t[i].want, t[i].line);
	}
}

static const struct runs_event events[] = {
	{.name = "task|clock", .mode = "user+sys", .unit = "ns"},
	{.name = "insn", .mode = "", .unit = "1", .kind = RUNS_COUNT},
};

/* Both events have the same values. */
static struct runs make(const uint64_t *value, size_t n, const char *command)
{
	struct runs s = {.command = command, .nevents = 2, .event = events};
	const cpc_class_t quality[] = {CPC_EXACT, CPC_SIMULATED};

	for (size_t i = 0; i < n; i++)
		assert_int_equal(runs_add(&s, (uint64_t[]){value[i], value[i]}, quality),
				 0);
	return s;
}

static const uint64_t before[] = {1000, 1020, 990, 1010, 980, 1030, 1005, 970};
static const uint64_t after[] = {1030, 1045, 1004, 1050, 991, 1040, 1060, 993};

static void test_tables(void **state)
{
	struct runs a = make(before, 8, "old `x`"), b = make(after, 8, "new");
	const struct gate_limit limit = {"in|sn", 0.02, 0};
	struct judgement j[2];
	const struct judge_comparison c = {
		.a = &a, .b = &b, .judgement = j, .alpha = 0.05};
	struct textbuf text = {0};
	struct cells cells;

	(void)state;
	assert_int_equal(judge_pairs(j, &a, &b, 0.05), 0);
	assert_int_equal(markdown_put_runs(&text, &a), 0);
	same(&text,
	     "- 8 runs: `` old `x` ``\n\n"
	     "| event | median | quartiles | min .. max | outliers |\n"
	     "| :--- | ---: | :--- | :--- | :--- |\n"
	     "| `task`&#124;`clock` | 1.002 us | 0.988 .. 1.012 | 0.970 .. 1.030 | - |\n"
	     "| `insn` | 1,002 | 988 .. 1,012 | 970 .. 1,030 | - |\n",
	     __LINE__);
	assert_int_equal(markdown_put_comparison(&text, &c), 0);
	same(&text,
	     "- A: `` old `x` ``\n- B: `new`\n"
	     "- 8 pairs, order by coin, 1 warm-up run each\n\n"
	     "| verdict | event | A | B | change | 95 % interval |\n"
	     "| :--- | :--- | ---: | ---: | ---: | :--- |\n"
	     "| **slower** | `task`&#124;`clock` | 1.002 us | 1.035 us | +2.45 % | "
	     "+1.19 .. +3.96 |\n"
	     "| **no difference shown** (would have seen 5.6 %) | `insn` | 1,000 | "
	     "1,030 | +2.70 % | -0.10 .. +5.47 |\n",
	     __LINE__);
	gate_cells_begin(&cells);
	gate_cells_add(&cells, &limit, GATE_UNSURE,
		       &(struct gate_evidence){
			       .was = &a, .now = &b, .was_event = 1, .event = 1});
	markdown_put_gate(&text, "base.json", &cells);
	same(&text,
	     "\n- gate against: `base.json`\n\n"
	     "| result | event | change | limit | values |\n"
	     "| :--- | :--- | ---: | ---: | :--- |\n"
	     "| **unsure** | `in`&#124;`sn` | +3.24 % | 2 % | "
	     "991 .. 1060 was 970 .. 1030 |\n",
	     __LINE__);
	cells_free(&cells);
	a.n = 0;
	assert_int_equal(markdown_put_runs(&text, &a), 0);
	same(&text, "- 0 runs: `` old `x` ``\n\n", __LINE__);
	runs_free(&a);
	runs_free(&b);
}

static void test_csv(void **state)
{
	struct runs a = make(before, 8, "old, \"1\""), b = make(after, 8, "new");
	struct judgement j[2];
	const struct judge_comparison c = {
		.a = &a, .b = &b, .judgement = j, .alpha = 0.05};
	const cpc_class_t none[] = {CPC_UNAVAILABLE, CPC_SIMULATED};
	struct cells rows;
	struct textbuf text = {0};

	(void)state;
	assert_int_equal(judge_pairs(j, &a, &b, 0.05), 0);
	series_csv_title(&text);
	series_csv_begin(&rows);
	assert_int_equal(series_csv_add_runs(&rows, &a), 0);
	series_csv_put(&text, &rows);
	cells_free(&rows);
	same(&text,
	     "command,event,mode,unit,kind,class,runs,median,first_quartile,"
	     "third_quartile,min,max,reference,change,relative,low,high,p,verdict,"
	     "limit,result\n"
	     "\"old, \"\"1\"\"\",task|clock,user+sys,ns,noisy,exact,8,1002.5,987.5,"
	     "1012.5,970,1030,,,,,,,,,\n"
	     "\"old, \"\"1\"\"\",insn,none,1,count,simulated,8,1002.5,987.5,1012.5,"
	     "970,1030,,,,,,,,,\n",
	     __LINE__);
	series_csv_begin(&rows);
	assert_int_equal(series_csv_add_comparison(&rows, &c, NULL, NULL), 0);
	series_csv_put(&text, &rows);
	cells_free(&rows);
	char *s = textbuf_end(&text);
	assert_non_null(strstr(s,
			       "new,task|clock,user+sys,ns,noisy,exact,8,1035,"
			       "1001.25,1046.25,991,1060,\"old, \"\"1\"\"\",0.024528"));
	assert_non_null(strstr(s, ",true,0.0119226488"));
	assert_non_null(strstr(s, ",0.0078125,more,,\n"));
	free(s);
	text = (struct textbuf){0};
	/* An event without a value in some run has no statistics. */
	assert_int_equal(runs_add(&a, (uint64_t[]){0, 7}, none), 0);
	assert_int_equal(runs_add(&b, (uint64_t[]){5, 7}, none), 0);
	assert_int_equal(judge_pairs(j, &a, &b, 0.05), 0);
	series_csv_begin(&rows);
	assert_int_equal(series_csv_add_comparison(&rows, &c, NULL, NULL), 0);
	series_csv_put(&text, &rows);
	cells_free(&rows);
	s = textbuf_end(&text);
	assert_non_null(strstr(s, "new,task|clock,user+sys,ns,noisy,unavailable,9,,,,,,"
				  "\"old, \"\"1\"\"\",,,,,,not counted,,\n"));
	free(s);
	runs_free(&a);
	runs_free(&b);
}

/* Of several limits of an event a row has the worst result. */
static void test_limits(void **state)
{
	struct runs a = make(before, 8, "old"), b = make(after, 8, "new");
	struct judgement j[2];
	const struct judge_comparison c = {&a, &b, j, 0.05, "saved.json"};
	struct gate gate = {0};
	const struct limits l = {
		.gate = &gate, .now = &b, .alpha = 0.05, .saved = &a, .saved_name = "x"};
	struct textbuf text = {0};
	struct cells rows;
	const char *bad;

	(void)state;
	assert_int_equal(gate_add(&gate, "insn=900%,insn=1%,-insn=900%", &bad), 0);
	assert_int_equal(judge_saved(j, &a, &b, 0.05), 0);
	series_csv_begin(&rows);
	assert_int_equal(series_csv_add_comparison(&rows, &c, &l, NULL), 0);
	series_csv_put(&text, &rows);
	cells_free(&rows);
	char *s = textbuf_end(&text);
	assert_non_null(strstr(s, ",saved.json,0.032418"));
	assert_non_null(strstr(s, ",varies between moments,,\n"));
	assert_non_null(strstr(s, ",0.01,unsure\n"));
	free(s);
	gate_free(&gate);
	runs_free(&a);
	runs_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_code),
		cmocka_unit_test(test_tables),
		cmocka_unit_test(test_csv),
		cmocka_unit_test(test_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
