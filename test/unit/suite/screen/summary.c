/* The block of a summary: what it adds up, and its text. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "suite/screen/summary.h"

struct written {
	char text[4096];
	size_t len;
	unsigned n;    /* calls */
	int no_memory; /* a call had no text */
};

static int write_text(void *arg, const char *text, size_t n)
{
	struct written *w = arg;

	w->n++;
	w->no_memory |= !text;
	assert_true(w->len + n < sizeof w->text);
	if (text)
		memcpy(w->text + w->len, text, n);
	w->len += n;
	w->text[w->len] = '\0';
	return 0;
}

static const char *const names0[] = {"task-clock", "page-faults"};
static const char *const modes0[] = {"user+sys", "user"};
static const char *const units0[] = {"ns", "1"};
static const char *const names1[] = {"instructions"};
static const char *const modes1[] = {"user+sys"};
static const char *const units1[] = {"1"};
static const struct row_set set0 = {
	.n = 2, .event = names0, .mode = modes0, .unit = units0};
static const struct row_set set1 = {
	.n = 1, .event = names1, .mode = modes1, .unit = units1};
static const struct row_set *const sets[] = {&set0, &set1};
static const struct record_run run = {.nsets = 2, .set = sets, .engine = "kernel"};

static struct sink *open_sink(const char *what, int grouped, struct written *w)
{
	const struct sink_output out = {w, write_text};

	*w = (struct written){0};
	struct sink *s = summary_sink(what, grouped, out);
	assert_non_null(s);
	assert_int_equal(s->begin(s, &run), 0);
	return s;
}

/* A row of both sets, with values that are multiples of v. */
static void put(struct sink *s, const char *word, pid_t pid, uint64_t v)
{
	const cpc_value_t value0[] = {{v * 1000000, v * 1000000, 10, 10, CPC_EXACT},
				      {v, v, 10, 10, CPC_EXACT}};
	const cpc_value_t value1[] = {{v * 3000, v * 1500, 100, 50, CPC_SCALED}};
	const struct row row[] = {
		{.word = word, .pid = pid, .index = 0, .set = &set0, .value = value0},
		{.word = word, .pid = pid, .index = 1, .set = &set1, .value = value1}};

	assert_int_equal(s->row(s, &row[0]), 0);
	assert_int_equal(s->row(s, &row[1]), 0);
	assert_int_equal(s->flush(s), 0);
}

static void same(const struct written *w, const char *want)
{
	if (strcmp(w->text, want) != 0)
		fail_msg("%s\nnot\n%s", w->text, want);
}

static const struct record_use use = {
	.user_ns = 1500000000, .system_ns = 20000000, .peak_bytes = 3 << 19};

static void test_text(void **state)
{
	struct written w;
	struct sink *s = open_sink("make\033 all", 1, &w);

	(void)state;
	put(s, "tick", 5, 1000);
	put(s, "exit", 5, 1234567);
	assert_int_equal(s->end(s, &(struct record_end){.ns = INT64_C(1000000000000),
							.status = 125,
							.has_ended = 1,
							.command_status = 4,
							.use = &use}),
			 0);
	s->free(s);
	assert_int_equal(w.n, 1);
	same(&w,
	     "\n"
	     "     1,234,567.000 ms task-clock       1.23 CPUs used             exact\n"
	     "         1,234,567    page-faults      1235 per second            exact, "
	     "user mode\n"
	     "     3,703,701,000    instructions     3703701 per second         scaled, "
	     "counted 50 % of the time\n"
	     "\n"
	     "     1000.0000 s elapsed, 1.5000 s user, 0.0200 s system; largest process "
	     "1.5 MiB\n"
	     "     ended with status 4: make? all\n");
}

/* The events of the block, with their counts as they were added up. */
static void check_counts(const struct written *w, unsigned long faults)
{
	char want[64];

	snprintf(want, sizeof want, " %lu    page-faults", faults);
	if (!strstr(w->text, want))
		fail_msg("%s\nwithout '%s'", w->text, want);
	snprintf(want, sizeof want, " %lu    instructions", faults * 3000);
	if (!strstr(w->text, want))
		fail_msg("%s\nwithout '%s'", w->text, want);
}

/* The totals of a process contain those of its LWPs; a process that goes on has none. */
static void test_processes(void **state)
{
	struct written w;
	struct sink *s = open_sink("x", 0, &w);

	(void)state;
	put(s, "lwp_exit", 7, 10);
	put(s, "lwp_exit", 8, 100);
	put(s, "lwp_exit", 7, 20);
	put(s, "exec", 7, 35);
	put(s, "lwp_exit", 7, 1);
	put(s, "exit", 7, 2);
	put(s, "detach", 8, 1000);
	put(s, "detach", 9, 10000);
	put(s, "rest", 7, 100000);
	assert_int_equal(s->end(s, &(struct record_end){.ns = 1, .signal = 2}), 0);
	s->free(s);
	check_counts(&w, 35 + 2 + 100 + 1000 + 10000 + 100000);
	assert_non_null(strstr(w.text, "measurement ended by signal 2 (SIGINT): x\n"));
}

/* What a provisional report shows is not counted again. */
static void test_provisional(void **state)
{
	struct written w;
	struct sink *s = open_sink("x", 0, &w);

	(void)state;
	put(s, "lwp_exit", 7, 1);
	s->provisional(s);
	put(s, "detach", 7, 10);
	assert_int_equal(s->end(s, &(struct record_end){.ns = 1, .provisional = 1}), 0);
	check_counts(&w, 11);
	assert_non_null(strstr(w.text, "not ended yet: x\n"));
	w.len = 0;
	put(s, "exit", 7, 12);
	assert_int_equal(s->end(s, &(struct record_end){.ns = 1}), 0);
	s->free(s);
	check_counts(&w, 12);
	assert_non_null(strstr(w.text, "     measurement ended: x\n"));
}

/* A sum without the values of some rows is approximate, one without all has no value. */
static void test_missing(void **state)
{
	static const cpc_value_t none[] = {{0, 0, 0, 0, CPC_UNAVAILABLE},
					   {0, 0, 0, 0, CPC_UNAVAILABLE}};
	static const cpc_value_t some[] = {{0, 0, 0, 0, CPC_UNAVAILABLE},
					   {7, 7, 1, 1, CPC_EXACT}};
	struct row row = {.word = "exit", .pid = 1, .set = &set0, .value = none};
	const struct record_end killed = {.ns = 1, .has_ended = 1, .command_signal = 9};
	struct written w;
	struct sink *s = open_sink("x", 0, &w);

	(void)state;
	assert_int_equal(s->row(s, &row), 0);
	row.value = some;
	assert_int_equal(s->row(s, &row), 0);
	assert_int_equal(s->end(s, &killed), 0);
	s->free(s);
	assert_non_null(strstr(w.text,
			       " -    task-clock                                  "
			       "not counted\n"));
	assert_non_null(strstr(w.text, " 7    page-faults "));
	assert_non_null(strstr(w.text, " approximate, user mode\n"));
	assert_non_null(strstr(w.text, "ended by signal 9 (SIGKILL): x\n"));
}

/* Without a final row nothing was counted, and nothing is printed. */
static void test_nothing(void **state)
{
	struct written w;
	struct sink *s = open_sink("x", 0, &w);

	(void)state;
	put(s, "tick", 7, 1);
	assert_int_equal(s->end(s, &(struct record_end){.ns = 1}), 0);
	s->free(s);
	assert_int_equal(w.n, 0);
}

static void test_cpus(void **state)
{
	static const cpc_value_t v[] = {{0, 0, 0, 0, CPC_UNAVAILABLE},
					{7, 7, 1, 1, CPC_EXACT}};
	const struct row row = {.kind = ROW_TOTAL, .cpus = 2, .set = &set0, .value = v};
	struct written w;
	struct sink *s = open_sink(NULL, 0, &w);

	(void)state;
	put(s, "tick", 7, 1);
	assert_int_equal(s->row(s, &row), 0);
	assert_int_equal(s->end(s, &(struct record_end){.ns = 1, .signal = 2}), 0);
	s->free(s);
	assert_non_null(strstr(w.text, " 7    page-faults "));
	assert_non_null(strstr(w.text, "\n     2 CPUs\n"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text),	    cmocka_unit_test(test_processes),
		cmocka_unit_test(test_provisional), cmocka_unit_test(test_missing),
		cmocka_unit_test(test_nothing),	    cmocka_unit_test(test_cpus),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
