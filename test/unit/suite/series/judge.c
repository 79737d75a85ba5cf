/* Verdicts about repeated runs, and their tables. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "suite/series/json.h"
#include "suite/series/table.h"

enum { MOST = 14 };

static const struct runs_event noisy[] = {
	{.name = "task-clock", .mode = "user+sys", .unit = "ns"}};
static const struct runs_event count[] = {
	{.name = "insn", .mode = "user", .unit = "1", .kind = RUNS_COUNT}};

/* The runs of one event. */
static struct runs make(const struct runs_event *event, const uint64_t *value, size_t n,
			const char *command)
{
	struct runs r = {.command = command, .nevents = 1, .event = event};
	const cpc_class_t quality = event->kind == RUNS_COUNT ? CPC_SIMULATED : CPC_EXACT;

	for (size_t i = 0; i < n; i++)
		assert_int_equal(runs_add(&r, &value[i], &quality), 0);
	assert_int_equal(r.n, n);
	return r;
}

static void test_verdicts(void **state)
{
	static const struct {
		int line;
		const struct runs_event *event;
		size_t n;
		uint64_t a[MOST], b[MOST];
		enum judge_verdict want;
	} t[] = {
		/* Counts are judged by their ranges. */
		{__LINE__, count, 3, {7, 7, 7}, {7, 7, 7}, JUDGE_SAME},
		{__LINE__, count, 3, {7, 7, 7}, {8, 8, 8}, JUDGE_MORE},
		{__LINE__, count, 3, {9, 8, 9}, {7, 7, 6}, JUDGE_LESS},
		{__LINE__, count, 3, {7, 7, 8}, {8, 8, 8}, JUDGE_NONE},
		{__LINE__, count, 3, {8, 8, 9}, {8, 7, 7}, JUDGE_NONE},
		{__LINE__, count, 3, {7, 7, 8}, {7, 7, 7}, JUDGE_NONE},
		{__LINE__, count, 3, {0, 0, 0}, {5, 5, 5}, JUDGE_MORE},
		{__LINE__, count, 2, {7, 7}, {8, 8}, JUDGE_TOO_FEW},
		{__LINE__, count, 1, {7}, {7}, JUDGE_SAME},
		/* Values that differ in each run are samples. */
		{__LINE__,
		 count,
		 8,
		 {100, 104, 108, 112, 116, 120, 124, 128},
		 {126, 134, 138, 142, 146, 150, 154, 158},
		 JUDGE_MORE},
		{__LINE__,
		 count,
		 8,
		 {100, 104, 108, 112, 116, 120, 124, 128},
		 {101, 105, 109, 113, 117, 121, 125, 129},
		 JUDGE_NONE},
		/* All else by the pairs. */
		{__LINE__, noisy, 5, {1, 1, 1, 1, 1}, {2, 2, 2, 2, 2}, JUDGE_TOO_FEW},
		{__LINE__, noisy, 6, {1, 1, 1, 1, 1, 1}, {2, 2, 2, 2, 2, 2}, JUDGE_MORE},
		{__LINE__, noisy, 6, {2, 2, 2, 2, 2, 2}, {1, 1, 1, 1, 1, 1}, JUDGE_LESS},
		{__LINE__, noisy, 6, {2, 2, 2, 2, 2, 1}, {1, 1, 1, 1, 1, 2}, JUDGE_NONE},
		/*
		 * The noise of a pair is common to both: only the pairs show the change.
		 */
		{__LINE__,
		 noisy,
		 8,
		 {100, 200, 300, 400, 500, 600, 700, 800},
		 {102, 204, 306, 408, 510, 612, 714, 816},
		 JUDGE_MORE},
		{__LINE__, noisy, 0, {0}, {0}, JUDGE_TOO_FEW},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof t / sizeof t[0]; i++) {
		struct runs a = make(t[i].event, t[i].a, t[i].n, "a");
		struct runs b = make(t[i].event, t[i].b, t[i].n, "b");
		struct judgement j;

		assert_int_equal(judge_pairs(&j, &a, &b, 0.05), 0);
		if (j.verdict != t[i].want)
			fail_msg("line %d: %d, not %d", t[i].line, j.verdict, t[i].want);
		runs_free(&a);
		runs_free(&b);
	}
}

/* A single pair has neither a verdict nor a change. */
static void test_one_pair(void **state)
{
	struct runs a = make(noisy, (uint64_t[]){1}, 1, "a");
	struct runs b = make(noisy, (uint64_t[]){2}, 1, "b");
	struct judgement j;

	(void)state;
	assert_int_equal(judge_pairs(&j, &a, &b, 0.05), 0);
	assert_int_equal(j.verdict, JUDGE_TOO_FEW);
	assert_false(j.has_change);
	runs_free(&a);
	runs_free(&b);
}

/* One of five events differs by chance more often than one of one: Holm's correction. */
static void test_among(void **state)
{
	struct runs_event event[5];
	struct runs a = {.nevents = 5, .event = event}, b = a;
	const cpc_class_t quality[5] = {0};
	struct judgement j[5];

	(void)state;
	for (unsigned i = 0; i < 5; i++)
		event[i] = noisy[0];
	for (uint64_t i = 1; i <= 6; i++) {
		const uint64_t odd = i % 2 ? 10 : 20, even = 30 - odd;

		assert_int_equal(
			runs_add(&a, (uint64_t[]){i, odd, odd, odd, odd}, quality), 0);
		assert_int_equal(runs_add(&b, (uint64_t[]){2 * i, even, even, even, even},
					  quality),
				 0);
	}
	assert_int_equal(judge_pairs(j, &a, &b, 0.05), 0);
	assert_int_equal(j[0].verdict, JUDGE_NONE_AMONG);
	assert_int_equal(j[1].verdict, JUDGE_NONE);
	assert_true(j[0].change.p > 0.05 && j[0].change.p <= 5 * 0.03125 + 1e-9);
	runs_free(&a);
	runs_free(&b);
}

/* An event without a value in some run has no verdict. */
static void test_missing(void **state)
{
	struct runs a = make(noisy, (uint64_t[]){1, 2}, 2, "a");
	struct runs b = make(noisy, (uint64_t[]){1}, 1, "b");
	const cpc_class_t none = CPC_UNAVAILABLE;
	struct textbuf text = {0};
	struct judgement j;

	(void)state;
	assert_int_equal(runs_add(&b, (uint64_t[]){9}, &none), 0);
	assert_int_equal(judge_pairs(&j, &a, &b, 0.05), 0);
	assert_int_equal(j.verdict, JUDGE_UNAVAILABLE);
	assert_int_equal(runs_missing(&b, 0), 1);
	assert_int_equal(runs_quality(&b, 0), CPC_UNAVAILABLE);
	assert_int_equal(table_put_runs(&text, &b, 0), 0);
	char *s = textbuf_end(&text);
	assert_non_null(strstr(s, "task-clock             -   not counted in 1 run\n"));
	free(s);
	runs_free(&a);
	runs_free(&b);
}

static void same(struct textbuf *b, const char *want)
{
	char *text = textbuf_end(b);

	assert_non_null(text);
	if (strcmp(text, want) != 0)
		fail_msg("%s\nnot\n%s", text, want);
	free(text);
	*b = (struct textbuf){0};
}

static void test_table(void **state)
{
	static const uint64_t times[] = {40210000, 39600000, 41300000,
					 39200000, 40210000, 90700000};
	static const uint64_t few[] = {17538683, 17538683, 17538684,
				       17538683, 17538683, 17538683};
	struct runs t = make(noisy, times, 6, "gzip -c text"),
		    c = make(count, few, 6, "x\033");
	struct textbuf b = {0};

	(void)state;
	assert_int_equal(table_put_runs(&b, &t, 0), 0);
	same(&b, "6 runs: gzip -c text\n"
		 "event             median   quartiles                "
		 "min .. max               outliers\n"
		 "task-clock      40.21 ms   39.75 .. 41.03           "
		 "39.20 .. 90.70           1 above\n");
	assert_int_equal(table_put_runs(&b, &t, CELLS_GROUPED | CELLS_BARS), 0);
	same(&b, "6 runs: gzip -c text\n"
		 "event             median   quartiles                "
		 "min .. max               outliers\n"
		 "task-clock      40.21 ms   39.75 .. 41.03           "
		 "39.20 .. 90.70           1 above\n"
		 "                           |@.                     .|\n");
	assert_int_equal(table_put_runs(&b, &c, 1), 0);
	same(&b, "6 runs: x?\n"
		 "event              median   quartiles                "
		 "min .. max               outliers\n"
		 "insn (user)    17,538,683   5 of 6 runs              "
		 "17,538,683 .. 17,538,684\n");
	c.n = 2;
	assert_int_equal(table_put_runs(&b, &c, 0), 0);
	same(&b, "2 runs: x?\n"
		 "event              median   quartiles                "
		 "min .. max               outliers\n"
		 "insn (user)      17538683   same in 2 runs\n");
	c.n = 0;
	c.ending = (struct runs_ending){.signal = 15, .status = 0};
	assert_int_equal(table_put_runs(&b, &c, 0), 0);
	same(&b, "0 runs: x?\neach run was ended by signal 15 (SIGTERM)\n");
	c.ending = (struct runs_ending){.status = 3};
	assert_int_equal(table_put_runs(&b, &c, 0), 0);
	same(&b, "0 runs: x?\neach run ended with status 3\n");
	c.ending.status = 0;
	assert_int_equal(table_put_runs(&b, &c, 0), 0);
	same(&b, "0 runs: x?\n");
	runs_free(&t);
	runs_free(&c);
}

static void test_comparison(void **state)
{
	static const uint64_t a[] = {1000, 1020, 990, 1010, 980, 1030, 1005, 970};
	static const uint64_t b[] = {1030, 1045, 1004, 1050, 991, 1040, 1060, 993};
	struct runs x = make(noisy, a, 8, "old"), y = make(noisy, b, 8, "new");
	struct runs z = make(noisy, a, 8, "old");
	struct judge_comparison c = {.a = &x, .b = &y, .alpha = 0.05};
	struct judgement j;
	struct textbuf text = {0};
	const struct row_run run = {.id = "h:1:1"};

	(void)state;
	assert_int_equal(judge_pairs(&j, &x, &y, 0.05), 0);
	c.judgement = &j;
	table_put_comparison(&text, &c, 0);
	same(&text,
	     "A: old\nB: new\n8 pairs, order by coin, 1 warm-up run each\n"
	     "event                 A            B     change   95 % interval      "
	     "verdict\n"
	     "task-clock     1.002 us     1.035 us    +2.45 %   +1.19 .. +3.96     "
	     "slower\n");
	y.ending.status = 1;
	table_put_comparison(&text, &c, 0);
	char *failed = textbuf_end(&text);
	assert_non_null(
		strstr(failed, " each\neach run of B ended with status 1\nevent "));
	free(failed);
	text = (struct textbuf){0};
	series_json_comparison(&text, &run, 0, 1, &c, 7);
	char *json = textbuf_end(&text);
	assert_non_null(strstr(json, "\"method\":\"signed-rank\",\"low\":0.0119226"));
	assert_non_null(strstr(json, "\"verdict\":\"more\""));
	free(json);
	text = (struct textbuf){0};
	c.b = &z;
	assert_int_equal(judge_pairs(&j, &x, &z, 0.05), 0);
	table_put_comparison(&text, &c, 0);
	json = textbuf_end(&text);
	assert_non_null(strstr(json, "no difference shown\n"));
	assert_null(strstr(json, "would have seen"));
	free(json);
	runs_free(&x);
	runs_free(&y);
	runs_free(&z);
}

/* The size that would have been seen is rounded up to two digits. */
static void test_detectable(void **state)
{
	static const uint64_t a[] = {1000, 1000, 1000, 1000, 1000, 1000};
	static const uint64_t b[] = {1010, 990, 1012, 988, 1005, 996};
	struct runs x = make(noisy, a, 6, "old"), y = make(noisy, b, 6, "new");
	struct judgement j;
	const struct judge_comparison c = {
		.a = &x, .b = &y, .judgement = &j, .alpha = 0.05};
	struct textbuf text = {0};

	(void)state;
	assert_int_equal(judge_pairs(&j, &x, &y, 0.05), 0);
	assert_int_equal(j.verdict, JUDGE_NONE);
	table_put_comparison(&text, &c, 0);
	char *s = textbuf_end(&text);
	assert_non_null(strstr(s, "(would have seen 2.5 %)\n"));
	free(s);
	runs_free(&x);
	runs_free(&y);
}

/* What was saved at another moment can have its events in another order. */
static void test_saved(void **state)
{
	static const struct runs_event then[] = {
		{.name = "insn", .mode = "user", .unit = "1", .kind = RUNS_COUNT},
		{.name = "task-clock", .unit = "ns"}};
	static const struct runs_event now[] = {
		{.name = "task-clock", .unit = "ns"},
		{.name = "insn", .mode = "user", .unit = "1", .kind = RUNS_COUNT},
		{.name = "new", .unit = "1"}};
	static const uint64_t was[] = {100, 2000}, is[] = {3000, 104, 5};
	static const cpc_class_t quality[] = {CPC_EXACT, CPC_EXACT, CPC_EXACT};
	struct runs a = {.command = "c", .nevents = 2, .event = then};
	struct runs b = {.command = "c", .nevents = 3, .event = now};
	struct judgement j[3];
	struct textbuf text = {0};

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		assert_int_equal(runs_add(&a, was, quality), 0);
		assert_int_equal(runs_add(&b, is, quality), 0);
	}
	assert_int_equal(judge_saved(j, &a, &b, 0.05), 0);
	assert_int_equal(j[0].verdict, JUDGE_MOMENTS);
	assert_true(j[0].a == 2000 && j[0].b == 3000 && j[0].has_change);
	assert_true(j[0].change.change == 0.5 && !j[0].change.has_interval);
	assert_int_equal(j[1].verdict, JUDGE_MORE);
	assert_true(j[1].a == 100 && j[1].b == 104);
	assert_int_equal(j[2].verdict, JUDGE_UNAVAILABLE);
	assert_int_equal(table_put_saved(&text, "old.json", &a, &b, 0.05, 0), 0);
	char *s = textbuf_end(&text);
	assert_int_equal(strncmp(s, "compared with old.json\nevent ", 29), 0);
	assert_non_null(strstr(s, "not judged: varies between moments\n"));
	assert_non_null(strstr(s, "+4.00 %   exact              more\n"));
	free(s);
	runs_free(&a);
	runs_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_saved),	   cmocka_unit_test(test_verdicts),
		cmocka_unit_test(test_one_pair),   cmocka_unit_test(test_among),
		cmocka_unit_test(test_missing),	   cmocka_unit_test(test_table),
		cmocka_unit_test(test_comparison), cmocka_unit_test(test_detectable),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
