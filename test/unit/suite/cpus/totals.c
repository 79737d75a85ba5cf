/* Totals of machines with more CPUs than a word has bits. */
#include "suite/cpus/totals.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void counts_each_cpu_once(void **state)
{
	static const char *const event[] = {"A"};
	static const struct row_set set = {.n = 1, .event = event};
	static const struct row_set *const sets[] = {&set};
	static const cpc_value_t five = {5, 5, 10, 10, CPC_EXACT};
	static const struct cpu_sample first[] = {
		{.cpu = 0, .ns = 1, .value = &five},
		{.cpu = 63, .ns = 1, .value = &five},
		{.cpu = 64, .ns = 1, .value = &five},
		{.cpu = 1000, .ns = 1, .value = &five},
	};
	/* CPU 64 again, and one between those of the first interval */
	static const struct cpu_sample second[] = {
		{.cpu = 64, .ns = 2, .value = &five},
		{.cpu = 500, .ns = 2, .value = &five},
	};
	static const struct cpu_interval interval[] = {{1, 0, 4, first, 1},
						       {2, 0, 2, second, 1}};
	struct cpu_totals t;

	(void)state;
	assert_int_equal(cpu_totals_open(&t, sets, 1, 0, 7), 0);
	assert_null(cpu_totals_row(&t, 0, 0));
	assert_int_equal(cpu_totals_add(&t, &interval[0], NULL), 0);
	assert_int_equal(cpu_totals_row(&t, 0, 0)->cpus, 4);
	assert_int_equal(cpu_totals_add(&t, &interval[1], NULL), 0);
	const struct row *row = cpu_totals_row(&t, 0, 0);
	assert_int_equal(row->kind, ROW_TOTAL);
	assert_int_equal(row->cpus, 5);
	assert_int_equal(row->value->value, 30);
	assert_int_equal(row->unix_ns, 9);
	cpu_totals_close(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_each_cpu_once),
	};

	return cmocka_run_group_tests_name("suite/cpus/totals", tests, NULL, NULL);
}
