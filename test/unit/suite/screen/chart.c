/* Charts of rows: when they are drawn, and their text. */
#include <errno.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "suite/screen/chart_text.h"

static const int64_t ms = 1000000;

static const char *const clock_names[] = {"task-clock"};
static const char *const clock_modes[] = {"user+sys"};
static const char *const clock_units[] = {"ns"};
static const struct row_set clock_set = {
	.n = 1, .event = clock_names, .mode = clock_modes, .unit = clock_units};
static const char *const two_names[] = {"faults", "sw\033itches"};
static const char *const two_modes[] = {"", "user"};
static const struct row_set two_set = {.n = 2, .event = two_names, .mode = two_modes};
static const struct row_set plain_set = {.n = 2, .event = two_names};

/* A chart with its latest text. */
struct drawn {
	struct frame frame;
	int utf8;
	unsigned n; /* times that it was drawn */
	int last;   /* the latest one was the last one */
	int error;  /* errno of the next drawing, or 0 */
	char *text;
	struct record_run run;
	const struct row_set *set[2];
	struct sink *sink;
};

static int draw(void *arg, const struct chart *c, int last)
{
	struct drawn *d = arg;
	struct textbuf b = {0};

	if (d->error) {
		errno = d->error;
		return -1;
	}
	free(d->text);
	chart_text(&b, c, &d->frame, d->utf8);
	d->text = textbuf_end(&b);
	assert_non_null(d->text);
	d->last = last;
	d->n++;
	return 0;
}

static void begin(struct drawn *d, enum row_scope scope, int pids, unsigned nsets)
{
	d->run = (struct record_run){
		.interval_ns = 100 * ms, .nsets = nsets, .set = d->set};
	d->sink = chart_new(scope, pids, (struct chart_output){d, draw});
	assert_non_null(d->sink);
	assert_int_equal(d->sink->begin(d->sink, &d->run), 0);
}

static void end(struct drawn *d)
{
	const struct record_end e = {.status = 0};

	assert_int_equal(d->sink->end(d->sink, &e), 0);
	d->sink->free(d->sink);
	free(d->text);
	d->text = NULL;
}

static void put(struct drawn *d, const struct row *row)
{
	assert_int_equal(d->sink->row(d->sink, row), 0);
	assert_int_equal(d->sink->flush(d->sink), 0);
}

/* An LWP, with the word of its row. */
static void lwp(struct drawn *d, int64_t ns, id_t id, const char *word, uint64_t v)
{
	const cpc_value_t value[] = {{.value = v}, {.value = 2 * v}};

	put(d, &(struct row){.ns = ns,
			     .pid = 70,
			     .lwp = id,
			     .word = word,
			     .set = d->set[0],
			     .value = value});
}

/* Intervals of a CPU from 1 on; a negative value is not available. */
static void cpu(struct drawn *d, int id, unsigned n, const double *v)
{
	for (unsigned i = 0; i < n; i++) {
		const cpc_value_t value[] = {
			{.value = (uint64_t)(v[i] < 0 ? 0 : v[i]),
			 .enabled = (uint64_t)(100 * ms),
			 .quality = v[i] < 0 ? CPC_UNAVAILABLE : CPC_EXACT},
			{.quality = CPC_UNAVAILABLE}};

		put(d, &(struct row){.ns = (i + 1) * 100 * ms,
				     .id = id,
				     .cpus = 1,
				     .word = "tick",
				     .set = d->set[0],
				     .value = value});
	}
}

static void expect(const struct drawn *d, const char *text)
{
	assert_non_null(d->text);
	assert_string_equal(d->text, text);
}

#define B "\033[1m"
#define D "\033[2m"
#define G "\033[32m"
#define P "\033[0m"

static const double ramp[] = {0, 1e3, 50e6, 100e6, -1, 12.5e6, 25e6};

/* Gaps, zeros, and values above 0 that are hardly visible. */
static void test_strip(void **state)
{
	struct drawn d = {
		.frame = {.rows = 3, .columns = 60}, .utf8 = 1, .set = {&clock_set}};

	(void)state;
	begin(&d, ROW_CPUS, 0, 1);
	cpu(&d, 3, 7, ramp);
	expect(&d,
	       "0.7 s; a column is an interval of 100 ms now     min..max\n" B
	       "task-clock (user+sys)" P ": full height 100ms in 100 ms\n"
	       "cpu 3 " G "_▁▄█ ▁▂" P "                         25.0ms       0..100ms\n");
	d.utf8 = 0;
	d.frame.columns = 40;
	assert_int_equal(d.last, 0);
	assert_int_equal(d.sink->complete(d.sink), 0);
	assert_int_equal(d.last, 1);
	expect(&d, "0.7 s; column 100 ms                 now\n" B "task-clock" P
		   ": full 100ms in 100 ms\n"
		   "cpu 3 " G "_.=# .:" P "                     25.0ms\n");
	end(&d);
}

static void test_nothing(void **state)
{
	struct drawn d = {.frame = {.rows = 9, .columns = 80}, .set = {&clock_set}};

	(void)state;
	d.sink = chart_new(ROW_LWPS, 0, (struct chart_output){&d, draw});
	assert_int_equal(chart_redraw(d.sink), 0);
	assert_int_equal(d.n, 0);
	d.sink->free(d.sink);
	begin(&d, ROW_LWPS, 0, 1);
	assert_int_equal(chart_redraw(d.sink), 0);
	assert_int_equal(d.n, 2);
	put(&d, &(struct row){.kind = ROW_FORK, .child = 4});
	lwp(&d, 50 * ms, 1, "exit", 7);
	expect(&d, "waiting for the first interval of 100 ms\n");
	assert_int_equal(d.n, 2);
	assert_int_equal(d.sink->complete(d.sink), 0);
	expect(&d, "no chart: the run ended before its first interval of 100 ms\n");
	assert_int_equal(d.last, 1);
	assert_int_equal(chart_redraw(d.sink), 0);
	end(&d);
	assert_int_equal(d.n, 3);
}

static void test_no_values(void **state)
{
	static const double none[] = {-1};
	struct drawn d = {.frame = {.rows = UINT_MAX, .columns = 60}, .set = {&two_set}};

	(void)state;
	begin(&d, ROW_CORES, 0, 1);
	cpu(&d, -1, 1, none);
	expect(&d, "0.1 s; a column is an interval of 100 ms now     min..max\n" B
		   "faults" P ": no values\n" B "sw?itches (user)" P ": no values\n");
	end(&d);
}

/* Strips grow to the window; the latest value can be missing. */
static void test_high(void **state)
{
	static const double v[] = {8, 16, 1, -1};
	struct drawn d = {
		.frame = {.rows = 9, .columns = 40}, .utf8 = 1, .set = {&plain_set}};

	(void)state;
	begin(&d, ROW_SOCKETS, 0, 1);
	cpu(&d, -1, 4, v);
	expect(&d, "0.4 s; column 100 ms                 now\n" B "faults" P
		   ": full 16 in 100 ms\n"
		   "         " G " █  " P "\n"
		   "socket ? " G "██▁ " P "                          -\n" B "sw?itches" P
		   ": no values\n");
	end(&d);
}

/* A scale that does not fit has no interval, rather than a part of its number. */
static void test_narrow(void **state)
{
	static const double v[] = {8, 16};
	struct drawn d = {
		.frame = {.rows = 9, .columns = 19}, .utf8 = 1, .set = {&plain_set}};

	(void)state;
	begin(&d, ROW_SOCKETS, 0, 1);
	cpu(&d, 3, 2, v);
	assert_non_null(strstr(d.text, P ": full 16\n"));
	assert_null(strstr(d.text, " in 1"));
	end(&d);
}

/* LWPs are drawn when the last of them had its row, and at the end. */
static void test_when(void **state)
{
	struct drawn d = {
		.frame = {.rows = 3, .columns = 80}, .utf8 = 1, .set = {&clock_set}};

	(void)state;
	begin(&d, ROW_LWPS, 0, 1);
	lwp(&d, 100 * ms, 1, "tick", 1);
	assert_int_equal(d.n, 2);
	lwp(&d, 101 * ms, 2, "tick", 1);
	assert_int_equal(d.n, 2); /* too soon */
	lwp(&d, 200 * ms, 1, "tick", 1);
	assert_int_equal(d.n, 2); /* LWP 2 follows */
	lwp(&d, 201 * ms, 2, "tick", 1);
	assert_int_equal(d.n, 3);
	lwp(&d, 250 * ms, 2, "lwp_exit", 3);
	lwp(&d, 300 * ms, 1, "tick", 1);
	assert_int_equal(d.n, 4);
	lwp(&d, 310 * ms, 1, "exit", 9);
	assert_int_equal(d.n, 4);
	assert_int_equal(d.sink->end(d.sink, &(struct record_end){.provisional = 1}), 0);
	assert_int_equal(d.n, 5);
	end(&d);
	assert_int_equal(d.n, 6);
}

/* The busiest are shown, in their order, and ended ones as such. */
static void test_busiest(void **state)
{
	struct drawn d = {
		.frame = {.rows = 4, .columns = 80}, .utf8 = 1, .set = {&two_set}};

	(void)state;
	begin(&d, ROW_LWPS, 1, 1);
	for (id_t i = 1; i <= 4; i++)
		lwp(&d, 100 * ms, i, "tick", i == 3 ? 1 : 10 * i);
	lwp(&d, 120 * ms, 2, "lwp_exit", 20);
	assert_int_equal(d.sink->complete(d.sink), 0);
	expect(&d,
	       "0.1 s; a column is an interval of 100 ms; 1 event hidden    "
	       " now     min..max\n" B "faults" P
	       ": full height 40 in 100 ms; 2 less busy LWPs not shown\n" D "70/2 " G
	       "▄" P
	       "                                                     ended      20..20\n"
	       "70/4 " G "█" P "                          "
	       "                              40      40..40\n");
	d.frame.columns = 30;
	end(&d);
}

/* Names of LWPs take the place of "lwp"; a long one is cut. */
static void test_names(void **state)
{
	struct drawn d = {
		.frame = {.rows = 4, .columns = 60}, .utf8 = 1, .set = {&clock_set}};
	const cpc_value_t value = {.value = 7};

	(void)state;
	begin(&d, ROW_LWPS, 0, 1);
	for (id_t i = 1; i <= 2; i++)
		put(&d, &(struct row){.ns = 100 * ms,
				      .lwp = i,
				      .name = i == 1 ? "ab\033" : "日本",
				      .word = "tick",
				      .set = &clock_set,
				      .value = &value});
	assert_int_equal(d.sink->complete(d.sink), 0);
	assert_non_null(strstr(d.text, "1 ab?  " G "█"));
	assert_non_null(strstr(d.text, "2 日本 " G "█"));
	d.frame.columns = 40;
	d.frame.rows = 9;
	const struct record_end provisional = {.provisional = 1};
	struct chart *c = (struct chart *)d.sink;
	c->ended = 0;
	strcpy(c->line[0].name, "0123456789abcde");
	assert_int_equal(d.sink->end(d.sink, &provisional), 0);
	assert_non_null(strstr(d.text, "\n1 0123456789 " G "█"));
	end(&d);
}

/* A late sample covers the intervals that were left out, except those after a rest. */
static void test_late(void **state)
{
	struct drawn d = {
		.frame = {.rows = 3, .columns = 80}, .utf8 = 1, .set = {&two_set}};
	const cpc_value_t late[] = {{.value = 30, .enabled = (uint64_t)(300 * ms)},
				    {.quality = CPC_UNAVAILABLE}};
	const cpc_value_t rest[] = {{.value = 20, .enabled = (uint64_t)(99 * ms)},
				    {.quality = CPC_UNAVAILABLE}};

	(void)state;
	begin(&d, ROW_LWPS, 0, 1);
	lwp(&d, 101 * ms, 1, "tick", 20);
	lwp(&d, 399 * ms, 1, "tick", 30);
	expect(&d,
	       "0.4 s; a column is an interval of 100 ms; 1 event hidden     now"
	       "     min..max\n" B "faults" P ": full height 20 in 100 ms\n"
	       "lwp 1 " G "█▄▄▄" P
	       "                                                    10      10..20\n");
	end(&d);
	begin(&d, ROW_CPUS, 0, 1);
	put(&d, &(struct row){.ns = 300 * ms,
			      .cpus = 1,
			      .word = "tick",
			      .set = &two_set,
			      .value = late});
	put(&d, &(struct row){.ns = 500 * ms,
			      .cpus = 1,
			      .word = "tick",
			      .set = &two_set,
			      .value = rest});
	expect(&d, "0.5 s; a column is an interval of 100 ms; 1 event hidden     now"
		   "     min..max\n" B "faults" P ": full height 20 in 100 ms\n"
		   "cpu 0 " G "▄▄▄ █" P
		   "                                                   20      10..20\n");
	end(&d);
}

/* Two sets take turns: a column is a turn of both. */
static void test_turns(void **state)
{
	struct drawn d = {.frame = {.rows = 5, .columns = 80},
			  .utf8 = 1,
			  .set = {&clock_set, &clock_set}};

	(void)state;
	begin(&d, ROW_LWPS, 0, 2);
	for (unsigned i = 1; i <= 5; i++) {
		const cpc_value_t value = {.value = i};

		put(&d, &(struct row){.ns = i * 100 * ms,
				      .lwp = 1,
				      .word = "tick",
				      .index = (i - 1) % 2,
				      .set = &clock_set,
				      .value = &value});
	}
	expect(&d,
	       "0.5 s; a column is a turn of 200 ms                          now"
	       "     min..max\n" B "task-clock (user+sys)" P
	       ": full height 5ns in 100 ms\n"
	       "lwp 1 " G "▂▅█" P
	       "                                                    5ns     1ns..5ns\n" B
	       "task-clock (user+sys)" P ": full height 4ns in 100 ms\n"
	       "lwp 1 " G "▄█ " P
	       "                                                    4ns     2ns..4ns\n");
	end(&d);
}

/* A long run stays visible: at last a cell has 8 intervals, and a column 4 cells. */
static void test_long(void **state)
{
	struct drawn d = {
		.frame = {.rows = 3, .columns = 80}, .utf8 = 1, .set = {&clock_set}};
	static const char begins[] =
		"160.0 s; a column is the mean of 32 intervals of 100 ms";

	(void)state;
	begin(&d, ROW_LWPS, 0, 1);
	for (unsigned i = 1; i <= 1600; i++)
		lwp(&d, i * 100 * ms, 1, "tick", i <= 800 ? 100 : 50);
	assert_memory_equal(d.text, begins, strlen(begins));
	assert_non_null(strstr(d.text, "full height 100ns in 100 ms\n"));
	assert_non_null(strstr(d.text, "lwp 1 " G "█████████████████████████"
				       "▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄" P));
	end(&d);
}

/* The room for lines goes first to those that run. */
static void test_many(void **state)
{
	struct drawn d = {
		.frame = {.rows = 2, .columns = 200}, .utf8 = 1, .set = {&clock_set}};

	(void)state;
	begin(&d, ROW_LWPS, 0, 1);
	for (id_t i = 1; i <= CHART_LINES; i++)
		lwp(&d, 100 * ms, i, "tick", i);
	lwp(&d, 110 * ms, 2000, "tick", 1);
	const struct chart *c = (const struct chart *)d.sink;
	assert_int_equal(c->nlines, CHART_LINES);
	assert_int_equal(c->line[CHART_LINES - 1].id, CHART_LINES);
	lwp(&d, 120 * ms, 9, "lwp_exit", 9);
	lwp(&d, 120 * ms, 8, "lwp_exit", 8);
	lwp(&d, 200 * ms, 2001, "tick", 1);
	assert_int_equal(c->nlines, CHART_LINES);
	assert_int_equal(c->line[7].id, 9);
	assert_int_equal(c->line[CHART_LINES - 1].id, 2001);
	assert_int_equal(d.sink->complete(d.sink), 0);
	assert_non_null(
		strstr(d.text, "; 2 LWPs are left out, as a chart has room for 1024"));
	end(&d);
}

static void test_error(void **state)
{
	struct drawn d = {.frame = {.rows = 2, .columns = 80}, .set = {&clock_set}};
	const cpc_value_t value = {.value = 1};
	const struct row row = {
		.ns = 100 * ms, .word = "tick", .set = &clock_set, .value = &value};

	(void)state;
	begin(&d, ROW_CPUS, 0, 1);
	d.error = EPIPE;
	assert_int_equal(d.sink->row(d.sink, &row), 0);
	assert_int_equal(d.sink->flush(d.sink), -1);
	assert_int_equal(errno, EPIPE);
	assert_int_equal(d.sink->complete(d.sink), -1);
	end(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_strip),	  cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_no_values), cmocka_unit_test(test_high),
		cmocka_unit_test(test_narrow),	  cmocka_unit_test(test_when),
		cmocka_unit_test(test_busiest),	  cmocka_unit_test(test_names),
		cmocka_unit_test(test_late),	  cmocka_unit_test(test_turns),
		cmocka_unit_test(test_long),	  cmocka_unit_test(test_many),
		cmocka_unit_test(test_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
