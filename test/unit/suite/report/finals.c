/* What each process, CPU or cgroup of a run has counted in all. */
#include "suite/report/finals.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const event[] = {"page-faults", "task-clock"};
static const char *const unit[] = {"1", "ns"};
static const struct row_set set = {.n = 2, .event = event, .unit = unit};
static const struct row_set *const sets[] = {&set};
static const struct record_run run = {.nsets = 1, .set = sets};

/* Take a row of these two counts, of which the second is missing if it is 0. */
static void add(struct finals *f, struct row row, uint64_t faults, uint64_t ns)
{
	const cpc_value_t value[] = {
		{.value = faults, .quality = CPC_EXACT},
		{.value = ns, .quality = ns ? CPC_EXACT : CPC_UNAVAILABLE}};

	row.set = &set;
	row.value = value;
	assert_int_equal(finals_add(f, &row), 0);
}

static void add_process(struct finals *f, int pid, const char *word, uint64_t faults,
			uint64_t ns)
{
	add(f, (struct row){.kind = ROW_VALUES, .pid = pid, .word = word, .name = "sh"},
	    faults, ns);
}

static void same(struct finals *f, int grouped, const char *want, int line)
{
	struct textbuf b = {0};

	finals_put(&b, f, grouped);
	char *text = textbuf_end(&b);
	assert_non_null(text);
	if (strcmp(text, want) != 0)
		fail_msg("line %d: %s\nnot\n%s", line, text, want);
	free(text);
	finals_free(f);
}

static void test_processes(void **state)
{
	struct finals f = {.scope = ROW_LWPS, .run = &run};

	(void)state;
	/* What a process has counted before an exec is in a row of its own. */
	add_process(&f, 7, "exec", 5, 0);
	add_process(&f, 8, "exit", 1200, 1500000);
	add_process(&f, 7, "exit", 2, 0);
	add_process(&f, 7, "tick", 100, 100);
	add_process(&f, 7, "lwp_exit", 100, 100);
	add(&f, (struct row){.kind = ROW_VALUES, .pid = 9, .word = "exit", .tree = 1},
	    100, 100);
	add(&f, (struct row){.kind = ROW_FORK, .pid = 9}, 100, 100);
	same(&f, 1,
	     "\n   process  name               page-faults  task-clock\n"
	     "         8  sh                       1,200    1.500 ms\n"
	     "         7  sh                           7           -\n",
	     __LINE__);
	/* One process has no table. */
	add_process(&f, 7, "exit", 2, 0);
	same(&f, 0, "", __LINE__);
}

/* A new process takes the place of the one with the smallest count. */
static void test_many(void **state)
{
	enum { EXTRA = 3 };
	struct finals f = {.scope = ROW_LWPS, .run = &run};
	char want[4096] = "\n   process  name               page-faults  task-clock\n";

	(void)state;
	for (int i = 1; i <= FINALS_MOST; i++)
		add_process(&f, i, "exit", (uint64_t)(i == 500 ? 1 : 1000 + i), 0);
	assert_int_equal(f.dropped, 0);
	for (int i = 1; i <= EXTRA; i++)
		add_process(&f, 90000 + i, "exit", (uint64_t)(100000 - i), 0);
	assert_int_equal(f.n, FINALS_MOST);
	assert_int_equal(f.dropped, EXTRA);
	for (unsigned i = 0; i < f.n; i++)
		assert_true(f.final[i].id != 500 && f.final[i].id != 1 &&
			    f.final[i].id != 2);
	for (int i = 0; i < FINALS_SHOWN; i++) {
		const int pid = i < EXTRA ? 90001 + i : FINALS_MOST + EXTRA - i;
		const int count = i < EXTRA ? 99999 - i : 1000 + pid;
		const size_t len = strlen(want);

		snprintf(want + len, sizeof want - len, "%10d  %-17s%13d           -\n",
			 pid, "sh", count);
	}
	strcat(want, "      1007 more processes\n");
	same(&f, 0, want, __LINE__);
}

static void test_cpus(void **state)
{
	struct finals f = {.scope = ROW_CPUS, .run = &run};

	(void)state;
	for (int i = 0; i < 2; i++)
		for (int cpu = 11; cpu >= 9; cpu -= 2)
			add(&f, (struct row){.kind = ROW_VALUES, .id = cpu}, 61728394506,
			    2000000);
	add(&f, (struct row){.kind = ROW_TOTAL, .id = -1}, 12, 8000000);
	same(&f, 0,
	     "\n       cpu   page-faults  task-clock\n"
	     "         9  123456789012    4.000 ms\n"
	     "        11  123456789012    4.000 ms\n",
	     __LINE__);
}

/* A total has the samples before it; those after it are of a new cgroup of the name. */
static void test_cgroups(void **state)
{
	struct finals f = {.scope = ROW_CGROUPS, .run = &run};
	const struct row sample = {.kind = ROW_VALUES, .cgroup = "web/b", .id = -1},
			 total = {.kind = ROW_TOTAL, .cgroup = "web/b", .id = -1};

	(void)state;
	add(&f, (struct row){.kind = ROW_VALUES, .cgroup = "\x1b", .id = -1}, 4, 0);
	add(&f, sample, 5, 1000000);
	add(&f, sample, 6, 1000000);
	add(&f, total, 11, 2000000);
	add(&f, sample, 7, 1000000);
	same(&f, 0,
	     "\ncgroup  page-faults  task-clock\n"
	     "?                 4           -\n"
	     "web/b            18    3.000 ms\n",
	     __LINE__);
}

/* Times are ms with 3 decimals, rounded; counts and times have any size. */
static void test_sizes(void **state)
{
	static const struct {
		int line;
		uint64_t ns;
		const char *want;
	} t[] = {
		{__LINE__, 499, "    0.000 ms"},
		{__LINE__, 500, "    0.001 ms"},
		{__LINE__, 999999500, " 1000.000 ms"},
		{__LINE__, UINT64_MAX, "  18446744073709.552 ms"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof t / sizeof t[0]; i++) {
		struct finals f = {.scope = ROW_CGROUPS, .run = &run};
		struct textbuf b = {0};

		add(&f, (struct row){.kind = ROW_VALUES, .cgroup = "/", .id = -1},
		    UINT64_MAX, t[i].ns);
		finals_put(&b, &f, 0);
		char *text = textbuf_end(&b);
		assert_non_null(text);
		if (!strstr(text, "\n/       18446744073709551615") ||
		    !strstr(text, t[i].want))
			fail_msg("line %d: %s", t[i].line, text);
		free(text);
		finals_free(&f);
	}
}

/* A sum has the worst class of its values; those that are not available have none. */
static void test_classes(void **state)
{
	static const struct {
		int line;
		cpc_class_t given[3], want;
	} t[] = {
		{__LINE__, {CPC_EXACT, CPC_APPROXIMATE, CPC_EXACT}, CPC_APPROXIMATE},
		{__LINE__, {CPC_UNAVAILABLE, CPC_EXACT, CPC_UNAVAILABLE}, CPC_EXACT},
		{__LINE__,
		 {CPC_UNAVAILABLE, CPC_UNAVAILABLE, CPC_UNAVAILABLE},
		 CPC_UNAVAILABLE},
	};

	(void)state;
	for (size_t i = 0; i < sizeof t / sizeof t[0]; i++) {
		struct finals f = {.scope = ROW_CPUS, .run = &run};

		for (unsigned k = 0; k < 3; k++) {
			const cpc_value_t value[] = {
				{.value = 5, .quality = t[i].given[k]},
				{.quality = CPC_UNAVAILABLE}};
			const struct row row = {
				.kind = ROW_VALUES, .set = &set, .value = value};

			assert_int_equal(finals_add(&f, &row), 0);
		}
		if (f.n != 1 || f.final[0].value[0].quality != t[i].want)
			fail_msg("line %d: %s", t[i].line,
				 cpc_class_name(f.final[0].value[0].quality));
		finals_free(&f);
	}
}

/* Names come from outside, and have at most 15 bytes. */
static void test_names(void **state)
{
	struct finals f = {.scope = ROW_LWPS, .run = &run};

	(void)state;
	add(&f,
	    (struct row){
		    .kind = ROW_VALUES, .pid = 1, .word = "exit", .name = "a\033[m\n"},
	    2, 0);
	add(&f,
	    (struct row){.kind = ROW_VALUES,
			 .pid = 2,
			 .word = "exit",
			 .name = "a name of more than 15"},
	    1, 0);
	same(&f, 0,
	     "\n   process  name               page-faults  task-clock\n"
	     "         1  a?[m?                        2           -\n"
	     "         2  a name of more               1           -\n",
	     __LINE__);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_processes), cmocka_unit_test(test_many),
		cmocka_unit_test(test_cpus),	  cmocka_unit_test(test_cgroups),
		cmocka_unit_test(test_sizes),	  cmocka_unit_test(test_classes),
		cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
