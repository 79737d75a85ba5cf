/* Rows of LWPs as tables of threads. */
#include "suite/screen/threads_table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const clock_names[] = {"page-faults", "task-clock"};
static const char *const clock_units[] = {"1", "ns"};
static const struct row_set clocks = {
	.spec = "", .n = 2, .event = clock_names, .unit = clock_units};
static const char *const one_names[] = {"L1-dcache-loads"};
static const char *const one_modes[] = {"user"};
static const struct row_set one = {
	.spec = "", .n = 1, .event = one_names, .mode = one_modes};

static const struct row_set *const clock_set[] = {&clocks};
static const struct row_set *const both_sets[] = {&one, &clocks};
static const struct row_set *const one_set[] = {&one};

/* Takes a row with two values, of which the second is a time on a processor. */
static void take(struct threads *t, const char *word, pid_t pid, id_t lwp, pid_t tid,
		 const char *name, uint64_t faults, uint64_t ns)
{
	const cpc_value_t value[] = {{faults, faults, ns, ns, CPC_EXACT},
				     {ns, ns, ns, ns, CPC_EXACT}};
	const struct row row = {
		.kind = ROW_VALUES,
		.word = word,
		.pid = pid,
		.tid = tid,
		.lwp = lwp,
		.name = name,
		.index = t->nsets - 1,
		.set = t->set[t->nsets - 1],
		.value = value,
	};

	assert_int_equal(threads_row(t, &row), 0);
}

static void shows(int line, struct threads *t, const struct threads_look *look,
		  const char *want)
{
	struct textbuf b = {0};

	threads_table(&b, t, look);
	char *text = textbuf_end(&b);
	assert_non_null(text);
	if (strcmp(text, want) != 0)
		fail_msg("line %d: want\n%sgot\n%s", line, want, text);
	free(text);
}

static const struct threads_look totals = {.heading = 1};
static const struct threads_look bare = {.heading = 0};
static const struct threads_look interval = {.interval = 1};

#define TITLE "     tid name            %task-clock page-faults task-clock ns\n"

static void test_ticks_and_totals(void **state)
{
	struct threads *t = threads_new(1, clock_set);

	(void)state;
	shows(__LINE__, t, &totals, TITLE);
	take(t, "lwp_create", 7, 2, 8, "main", 0, 0);
	take(t, "tick", 7, 1, 7, "main", 5, 100);
	take(t, "tick", 7, 2, 8, "hot", 1, 300);
	shows(__LINE__, t, &interval,
	      "       8 hot                   75.00           1           300\n"
	      "       7 main                  25.00           5           100\n");
	threads_next_interval(t);
	shows(__LINE__, t, &interval, "");
	/* A total has what its ticks have, and the rest is of the interval. */
	take(t, "fini_lwp", 7, 2, 8, "hotter", 3, 350);
	take(t, "lwp_exit", 7, 2, 8, "hotter", 3, 350);
	take(t, "tick", 7, 1, 7, "main", 0, 150);
	shows(__LINE__, t, &interval,
	      "       7 main                  75.00           0           150\n"
	      "       8 hotter                25.00           2            50\n");
	take(t, "fini_lwp", 7, 1, 7, "main", 5, 650);
	take(t, "exit", 7, 1, 7, "main", 8, 1000);
	shows(__LINE__, t, &totals,
	      TITLE "       7 main                  65.00           5           650\n"
		    "       8 hotter                35.00           3           350\n");
	threads_free(t);
}

/* An LWP that executes has rows of several sets; the first one makes it LWP 1. */
static void test_exec_with_sets(void **state)
{
	enum { LWPS = 300 };
	struct threads *t = threads_new(2, both_sets);
	const cpc_value_t loads[] = {{3, 3, 1, 1, CPC_EXACT}, {4, 4, 2, 1, CPC_SCALED}};
	struct row row = {.kind = ROW_VALUES, .word = "tick", .pid = 7, .set = &one};

	(void)state;
	for (int i = 2; i < LWPS; i++)
		take(t, "tick", 7, i, 1000 + i, "worker", 1, 10);
	/* Some threads of other processes are in the same buckets. */
	for (int i = 1; i < LWPS; i++)
		take(t, "tick", 1000 + i, 1, 1000 + i, "other", 1, 10);
	for (int i = 2; i < LWPS; i++) {
		row.word = "tick";
		row.lwp = i;
		row.tid = 1000 + i;
		row.value = &loads[0];
		assert_int_equal(threads_row(t, &row), 0);
		row.word = "fini_lwp";
		row.tid = 7;
		row.value = &loads[1];
		assert_int_equal(threads_row(t, &row), 0);
		take(t, "fini_lwp", 7, i, 7, "true", 2, 20);
		take(t, "exit", 7, 1, 7, "true", 2, 20);
	}
	assert_int_equal(t->n, 2 * LWPS - 3);
	for (unsigned i = 0; i < LWPS - 2; i++) {
		const cpc_value_t v = threads_value(t, t->thread[i], 0, 0);

		assert_int_equal(t->thread[i]->tid, 7);
		assert_string_equal(t->thread[i]->name, "true");
		assert_int_equal(v.value, 4);
		assert_int_equal(v.quality, CPC_SCALED);
		assert_int_equal(threads_value(t, t->thread[i], 0, 1).value, 2);
	}
	threads_free(t);
}

static int collect(void *arg, const struct row *row)
{
	char *text = arg;

	sprintf(text + strlen(text), "%s %d.%d/%d %d\n", row->word, (int)row->pid,
		(int)row->lwp, (int)row->tid, (int)row->value[0].value);
	return 0;
}

/* What was counted in no LWP has a line; one that was provisional is replaced. */
static void test_rest(void **state)
{
	struct threads *t = threads_new(1, clock_set);
	char text[256] = "";

	(void)state;
	take(t, "fini_lwp", 7, 2, 8, "a", 1, 750);
	take(t, "lwp_exit", 7, 2, 8, "a", 1, 750);
	threads_provisional(t);
	take(t, "rest", 7, 0, 0, NULL, 9, 250);
	shows(__LINE__, t, &totals,
	      TITLE "       8 a                     75.00           1           750\n"
		    "       - (rest)                25.00           9           250\n");
	threads_provisional_end(t);
	shows(__LINE__, t, &bare,
	      "       8 a                    100.00           1           750\n");
	threads_provisional(t);
	take(t, "rest", 7, 0, 0, NULL, 10, 750);
	assert_int_equal(threads_rows(t, 1, collect, text), 0);
	assert_string_equal(text, "thread 7.2/8 1\nrest 7.0/0 10\n");
	threads_provisional_end(t);
	take(t, "rest", 7, 0, 0, NULL, 2, 250);
	shows(__LINE__, t, &bare,
	      "       8 a                     75.00           1           750\n"
	      "       - (rest)                25.00           2           250\n");
	threads_free(t);
}

/* Numbers of processes and LWPs are used again. */
static void test_reused_numbers(void **state)
{
	struct threads *t = threads_new(1, clock_set);
	const struct row fork = {.kind = ROW_FORK, .pid = 1, .lwp = 1, .child = 7};

	(void)state;
	take(t, "fini_lwp", 7, 2, 8, "a", 1, 1000);
	take(t, "lwp_exit", 7, 2, 8, "a", 1, 1000);
	take(t, "tick", 7, 2, 8, "b", 2, 900);
	/* After an exec, LWP 2 is another one. */
	take(t, "tick", 7, 2, 9, "c", 3, 800);
	take(t, "tick", 7, 1, 7, "d", 4, 700);
	assert_int_equal(threads_row(t, &fork), 0);
	take(t, "tick", 7, 1, 7, "e", 5, 600);
	take(t, "exit", 7, 1, 7, "e", 5, 600);
	take(t, "tick", 7, 1, 7, "f", 6, 500);
	shows(__LINE__, t, &bare,
	      "       8 a                     22.22           1          1000\n"
	      "       8 b                     20.00           2           900\n"
	      "       9 c                     17.78           3           800\n"
	      "       7 d                     15.56           4           700\n"
	      "       7 e                     13.33           5           600\n"
	      "       7 f                     11.11           6           500\n");
	threads_free(t);
}

/* An LWP that executes a program remains the same thread, with the new name. */
static void test_exec(void **state)
{
	struct threads *t = threads_new(1, clock_set);

	(void)state;
	take(t, "tick", 7, 1, 7, "sh", 1, 10);
	take(t, "fini_lwp", 7, 1, 7, "make", 2, 20);
	take(t, "exec", 7, 1, 7, "make", 2, 20);
	take(t, "tick", 7, 1, 7, "make", 5, 30);
	shows(__LINE__, t, &bare,
	      "       7 make                 100.00           7            50\n");
	/* LWP 2 executes: the first LWP ends, with no name, and LWP 2 gets its tid. */
	take(t, "tick", 7, 2, 8, "worker", 1, 100);
	take(t, "fini_lwp", 7, 1, 7, NULL, 6, 40);
	take(t, "lwp_exit", 7, 1, 7, NULL, 6, 40);
	take(t, "fini_lwp", 7, 2, 7, "true", 2, 150);
	take(t, "fini_lwp", 7, 1, 7, "true", 1, 50);
	take(t, "exit", 7, 1, 7, "true", 1, 50);
	shows(__LINE__, t, &bare,
	      "       7 true                  76.92           3           200\n"
	      "       7 make                  23.08           8            60\n");
	threads_free(t);
}

static void test_provisional(void **state)
{
	struct threads *t = threads_new(1, clock_set);

	(void)state;
	take(t, "tick", 7, 1, 7, "a", 1, 10);
	for (int i = 0; i < 2; i++) {
		threads_provisional(t);
		take(t, "detach", 7, 1, 7, "a", 4, 40);
		shows(__LINE__, t, &bare,
		      "       7 a                    100.00           4            40\n");
		threads_provisional_end(t);
	}
	shows(__LINE__, t, &bare,
	      "       7 a                    100.00           1            10\n");
	take(t, "detach", 7, 1, 7, "a", 9, 90);
	shows(__LINE__, t, &bare,
	      "       7 a                    100.00           9            90\n");
	threads_free(t);
}

/* What the table is sorted by, and what it is of threads that a set has not counted. */
static void test_sets(void **state)
{
	struct threads *t = threads_new(2, both_sets);
	const cpc_value_t loads[] = {{.quality = CPC_UNAVAILABLE},
				     {12, 6, 4, 2, CPC_SCALED}};
	struct row row = {.kind = ROW_VALUES,
			  .word = "tick",
			  .pid = 7,
			  .lwp = 2,
			  .tid = -1,
			  .set = &one};

	(void)state;
	take(t, "tick", 7, 1, 7, "a", 1, 10);
	for (int i = 0; i < 2; i++) {
		row.value = &loads[i];
		assert_int_equal(threads_row(t, &row), 0);
	}
	shows(__LINE__, t, &totals,
	      "     tid name            %task-clock L1"
	      "-dcache-loads (user) page-faults task-clock ns\n"
	      "       7 a                    100.00   "
	      "                   -           1            10\n"
	      "       - -                      0.00   "
	      "                  12           -             -\n");
	threads_free(t);
	t = threads_new(1, one_set);
	assert_int_equal(threads_row(t, &row), 0);
	shows(__LINE__, t, &totals,
	      "     tid name            %L1-dcache-loads L1-dcache-loads (user)\n"
	      "       - -                         100.00                     12\n");
	threads_free(t);
}

static void test_hostile_names(void **state)
{
	struct threads *t = threads_new(1, clock_set);

	(void)state;
	take(t, "tick", 7, 1, 7, "\033[31m\n\xff\xc2\x9b", 1, 20);
	take(t, "tick", 7, 2, 8, "日本語日本", 1, 10);
	take(t, "tick", 7, 3, 9, "longer than a name can be", 1, 5);
	take(t, "tick", 7, 4, 10, "", 1, 0);
	shows(__LINE__, t, &bare,
	      "       7 ?[31m???              57.14           1            20\n"
	      "       8 日本語日本            28.57           1            10\n"
	      "       9 longer than a n       14.29           1             5\n"
	      "      10                        0.00           1             0\n");
	threads_free(t);
}

/* A screen has room for some lines, and its columns do not move. */
static void test_screen(void **state)
{
	struct threads *t = threads_new(1, clock_set);
	unsigned width[2] = {0};
	struct threads_look look = {.interval = 1,
				    .ns = 1234999999,
				    .heading = 1,
				    .screen = 1,
				    .lines = 5,
				    .width = width};

	(void)state;
	for (unsigned i = 1; i <= 3; i++)
		take(t, "tick", 7, i, 6 + (pid_t)i, "t", 1234567, i * 100000000000000);
	shows(__LINE__, t, &look,
	      "3 threads in the interval until 1.234 s\n\033[7m"
	      "     tid name            %task-clock pa"
	      "ge-faults       task-clock ns\033[0m\n"
	      "       9 t                     50.00   1,234,567 300,000,000,000,000\n"
	      "       8 t                     33.33   1,234,567 200,000,000,000,000\n"
	      "       7 t                     16.67   1,234,567 100,000,000,000,000\n");
	look.lines = 4;
	shows(__LINE__, t, &look,
	      "3 threads in the interval until 1.234 s\n\033[7m"
	      "     tid name            %task-clock pa"
	      "ge-faults       task-clock ns\033[0m\n"
	      "       9 t                     50.00   1,234,567 300,000,000,000,000\n"
	      " and 2 more\n");
	look.lines = 1;
	threads_next_interval(t);
	take(t, "tick", 8, 1, 8, "u", 0, 1);
	look.lines = 0;
	shows(__LINE__, t, &look,
	      "1 thread in the interval until 1.234 s\n\033[7m"
	      "     pid     tid name            %task-clock page-faults       "
	      "task-clock ns\033[0m\n"
	      "       8       8 u                    1"
	      "00.00           0                   1\n");
	threads_free(t);
}

/* A number that is cut would be another number: a column has room as a whole, or none. */
static void test_narrow_screen(void **state)
{
	struct threads *t = threads_new(1, clock_set);
	struct threads_look look = {.ns = 1000000000, .screen = 1, .columns = 62};

	(void)state;
	take(t, "tick", 7, 1, 7, "t", 1234567, 300000000);
	shows(__LINE__, t, &look,
	      "1 thread in 1.000 s\n"
	      "       7 t                    100.00   1,234,567   300,000,000\n");
	look.columns = 61;
	shows(__LINE__, t, &look,
	      "1 thread in 1.000 s; 1 event hidden\n"
	      "       7 t                    100.00   1,234,567\n");
	look.columns = 47;
	shows(__LINE__, t, &look,
	      "1 thread in 1.000 s; 2 events hidden\n"
	      "       7 t                    100.00\n");
	look.columns = 35;
	shows(__LINE__, t, &look,
	      "1 thread in 1.000 s; 2 events hidden\n"
	      "       7 t              \n");
	threads_free(t);
}

/* The rows that were put, a line each. */
struct put {
	char log[512];
	int fails;
};

static int put(void *arg, const struct row *row)
{
	struct put *p = arg;
	const size_t len = strlen(p->log);

	snprintf(p->log + len, sizeof p->log - len, "%s %d %u %d %s %u: %d %d %d\n",
		 row->word, (int)row->pid, (unsigned)row->lwp, (int)row->tid,
		 row->name ? row->name : "-", row->index, (int)row->ns,
		 (int)row->value[0].count, (int)row->value[0].quality);
	return p->fails;
}

static void test_rows(void **state)
{
	struct threads *t = threads_new(2, both_sets);
	const cpc_value_t loads = {12, 6, 4, 2, CPC_SCALED};
	const struct row row = {.kind = ROW_VALUES,
				.word = "tick",
				.pid = 7,
				.lwp = 2,
				.tid = 8,
				.set = &one,
				.value = &loads};
	struct put p = {0};

	(void)state;
	take(t, "tick", 7, 1, 7, "a", 1, 10);
	take(t, "tick", 7, 2, 8, NULL, 2, 20);
	assert_int_equal(threads_row(t, &row), 0);
	assert_int_equal(threads_rows(t, 99, put, &p), 0);
	assert_string_equal(p.log, "thread 7 2 8 - 0: 99 6 2\n"
				   "thread 7 2 8 - 1: 99 2 0\n"
				   "thread 7 1 7 a 1: 99 1 0\n");
	p = (struct put){.fails = 3};
	assert_int_equal(threads_rows(t, 99, put, &p), 3);
	assert_string_equal(p.log, "thread 7 2 8 - 0: 99 6 2\n");
	threads_free(t);
	threads_free(NULL);
}

/* Many threads are found by their numbers. */
static void test_many(void **state)
{
	enum { MANY = 20000 };
	struct threads *t = threads_new(1, clock_set);
	unsigned n;
	double sum;

	(void)state;
	for (int round = 0; round < 2; round++)
		for (unsigned i = 1; i <= MANY; i++)
			take(t, "tick", 1 + (pid_t)(i % 100), i, (pid_t)i, "t", 1, i);
	assert_int_equal(t->n, MANY);
	struct thread **sorted = threads_sorted(t, 0, &n, &sum);
	assert_int_equal(n, MANY);
	for (unsigned i = 0; i < MANY; i++)
		assert_int_equal(sorted[i]->key, 2 * (MANY - i));
	assert_true(sum == (double)MANY * (MANY + 1));
	free(sorted);
	threads_free(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ticks_and_totals),
		cmocka_unit_test(test_rest),
		cmocka_unit_test(test_exec_with_sets),
		cmocka_unit_test(test_reused_numbers),
		cmocka_unit_test(test_exec),
		cmocka_unit_test(test_provisional),
		cmocka_unit_test(test_sets),
		cmocka_unit_test(test_hostile_names),
		cmocka_unit_test(test_screen),
		cmocka_unit_test(test_narrow_screen),
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
