/* The texts of the tables of repeated runs and of comparisons. */
#include "suite/series/cells.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 12 };

static const struct runs_event faults = {
	.name = "page-faults", .mode = "user", .unit = "1"};
static const struct runs_event clock_ns = {.name = "task-clock", .unit = "ns"};
static const struct runs_event count = {
	.name = "insn", .mode = "user", .unit = "1", .kind = RUNS_COUNT};

/* The runs of one event. */
static struct runs make(const struct runs_event *event, const uint64_t *value, size_t n)
{
	struct runs r = {.command = "x", .nevents = 1, .event = event};
	const cpc_class_t quality = CPC_EXACT;

	for (size_t i = 0; i < n; i++)
		assert_int_equal(runs_add(&r, &value[i], &quality), 0);
	return r;
}

static void same_cell(const struct cells *c, unsigned column, const char *want, int line)
{
	const char *text = cells_text(c, 0, column);

	if (strcmp(text, want) != 0)
		fail_msg("line %d: column %u is '%s', not '%s'", line, column, text,
			 want);
}

/* The columns of runs. */
enum { NAME, MEDIAN, QUARTILES, BAR, RANGE, OUTLIERS, COLUMNS };

static void test_runs(void **state)
{
	static const struct {
		int line;
		const struct runs_event *event;
		int grouped;
		size_t n;
		uint64_t value[MOST];
		const char *want[COLUMNS];
	} t[] = {
		/* Outliers are far from most values, on both sides. */
		{__LINE__,
		 &faults,
		 0,
		 9,
		 {100, 100, 10, 100, 100, 100, 500, 100, 100},
		 {"page-faults (user)", "100", "100 .. 100", "", "10 .. 500",
		  "1 below, 1 above"}},
		/* 11 is exactly 3 widths of the quartiles away, and no outlier. */
		{__LINE__,
		 &faults,
		 0,
		 8,
		 {10, 11, 1000, 1000, 1000, 1000, 1000, 1000},
		 {"page-faults (user)", "1000", "753 .. 1000", "", "10 .. 1000",
		  "1 below"}},
		{__LINE__,
		 &faults,
		 CELLS_GROUPED,
		 9,
		 {10, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 11},
		 {"page-faults (user)", "1,000", "1,000 .. 1,000", "", "10 .. 1,000",
		  "2 below"}},
		/* The bar ends at the 95 % quantile. */
		{__LINE__,
		 &faults,
		 CELLS_GROUPED | CELLS_BARS,
		 4,
		 {1, 2, 3, 4},
		 {"page-faults (user)", "2", "2 .. 3", "|.       .       .      .|",
		  "1 .. 4", "-"}},
		{__LINE__,
		 &faults,
		 CELLS_BARS,
		 12,
		 {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 100, 200},
		 {"page-faults (user)", "0", "0 .. 0", "|@               .      .|",
		  "0 .. 200", "2 above"}},
		/* The median chooses the unit of times. */
		{__LINE__,
		 &clock_ns,
		 0,
		 1,
		 {999},
		 {"task-clock", "999 ns", "999 .. 999", "", "999 .. 999", "-"}},
		{__LINE__,
		 &clock_ns,
		 0,
		 3,
		 {900, 1500, 12345},
		 {"task-clock", "1.500 us", "1.200 .. 6.923", "", "0.900 .. 12.35", "-"}},
		{__LINE__,
		 &clock_ns,
		 0,
		 1,
		 {123456789},
		 {"task-clock", "123.5 ms", "123.5 .. 123.5", "", "123.5 .. 123.5", "-"}},
		{__LINE__,
		 &clock_ns,
		 0,
		 1,
		 {1234000000000},
		 {"task-clock", "1234 s", "1234 .. 1234", "", "1234 .. 1234", "-"}},
		/* Counts that repeat. */
		{__LINE__,
		 &count,
		 CELLS_GROUPED,
		 1,
		 {4711},
		 {"insn (user)", "4,711", "same in 1 run", "", "", ""}},
		{__LINE__,
		 &count,
		 0,
		 4,
		 {7, 8, 8, 8},
		 {"insn (user)", "8", "3 of 4 runs", "", "7 .. 8", ""}},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof t / sizeof *t; i++) {
		struct runs r = make(t[i].event, t[i].value, t[i].n);
		struct cells c;

		assert_int_equal(cells_of_runs(&c, &r, t[i].grouped), 0);
		assert_int_equal(c.nrow, 1);
		for (unsigned k = 0; k < COLUMNS; k++)
			same_cell(&c, k, t[i].want[k], t[i].line);
		cells_free(&c);
		runs_free(&r);
	}
}

/* A change from 0 has no percentage. */
static void test_comparison(void **state)
{
	static const struct {
		int line;
		const struct runs_event *event;
		uint64_t a[MOST], b[MOST];
		const char *want[CELLS_OUTCOME + 1];
	} t[] = {
		{__LINE__,
		 &faults,
		 {0, 0, 0, 0, 0, 0},
		 {5, 5, 5, 5, 5, 5},
		 {"page-faults (user)", "0", "5", "+5", "+5 .. +5", "more"}},
		{__LINE__,
		 &count,
		 {7, 7, 7, 7, 7, 7},
		 {0, 0, 0, 0, 0, 0},
		 {"insn (user)", "7", "0", "-100 %", "exact", "fewer"}},
		{__LINE__,
		 &clock_ns,
		 {2000, 2000, 2000, 2000, 2000, 2000},
		 {1000, 1000, 1000, 1000, 1000, 1000},
		 {"task-clock", "2.000 us", "1.000 us", "-50.0 %", "-50.0 .. -50.0",
		  "faster"}},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof t / sizeof *t; i++) {
		struct runs a = make(t[i].event, t[i].a, 6);
		struct runs b = make(t[i].event, t[i].b, 6);
		struct judgement j[1];
		const struct judge_comparison both = {
			.a = &a, .b = &b, .judgement = j, .alpha = 0.05};
		struct cells c;

		assert_int_equal(judge_pairs(j, &a, &b, 0.05), 0);
		assert_int_equal(cells_of_comparison(&c, &both, 0), 0);
		for (unsigned k = 0; k <= CELLS_OUTCOME; k++)
			same_cell(&c, k, t[i].want[k], t[i].line);
		cells_free(&c);
		runs_free(&a);
		runs_free(&b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_runs),
		cmocka_unit_test(test_comparison),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
