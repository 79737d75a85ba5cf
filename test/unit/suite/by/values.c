/* Statistics of joined values: exact sums, medians, extremes and their keys, classes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "suite/by/values.h"

#define MOST ((values_number)UINT64_MAX)

static const char *const event[VALUES_FIELDS] = {"e", "",     "1", "kernel",
						 "",  "tree", "",  ""};

struct given {
	const char *key;
	values_number value;
	cpc_class_t quality;
};

static const struct {
	int line;
	struct given given[4];
	unsigned keys, n;
	values_number sum, min, median, max;
	const char *min_at, *max_at;
	int is_mixed;
	cpc_class_t quality;
	values_number imbalance;
} cases[] = {
	{__LINE__,
	 {{"10", 4, CPC_EXACT}, {"2", 4, CPC_EXACT}},
	 2,
	 2,
	 8,
	 4,
	 4,
	 4,
	 "2",
	 "2",
	 0,
	 CPC_EXACT,
	 1},
	{__LINE__,
	 {{"10", 1, CPC_EXACT}, {"2", 4, CPC_EXACT}, {"10", 2, CPC_EXACT}},
	 2,
	 2,
	 7,
	 3,
	 3.5L,
	 4,
	 "10",
	 "2",
	 0,
	 CPC_EXACT,
	 8.0L / 7},
	{__LINE__,
	 {{"10", 9, CPC_EXACT}, {"2", 0, CPC_UNAVAILABLE}, {"3", 5, CPC_APPROXIMATE}},
	 3,
	 2,
	 14,
	 5,
	 7,
	 9,
	 "3",
	 "10",
	 1,
	 CPC_APPROXIMATE,
	 9.0L / 7},
	{__LINE__,
	 {{"10", MOST, CPC_EXACT}, {"2", 0, CPC_EXACT}},
	 2,
	 2,
	 MOST,
	 0,
	 MOST / 2,
	 MOST,
	 "2",
	 "10",
	 0,
	 CPC_EXACT,
	 2},
	/* The worst class of a key's values is the sum's, whichever comes first. */
	{__LINE__,
	 {{"2", 3, CPC_APPROXIMATE}, {"2", 4, CPC_EXACT}},
	 1,
	 1,
	 7,
	 7,
	 7,
	 7,
	 "2",
	 "2",
	 0,
	 CPC_APPROXIMATE,
	 1},
};

static void fill(struct values *v, const struct given *g)
{
	for (; g->key; g++) {
		unsigned row = 0, key;

		assert_int_equal(values_row(v, event, &row), 0);
		assert_int_equal(values_key(v, g->key, &key), 0);
		assert_int_equal(values_add(v, row, key, g->value, g->quality), 0);
	}
	assert_int_equal(v->ids.n, 1);
}

static void test_summary(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct values v = {.room = 0};
		struct values_summary s;

		fill(&v, cases[i].given);
		assert_int_equal(values_summarize(&v, 0, &s), 0);
		if (s.keys != cases[i].keys || s.n != cases[i].n ||
		    s.sum != cases[i].sum || s.min != cases[i].min ||
		    s.median != cases[i].median || s.max != cases[i].max ||
		    s.is_mixed != cases[i].is_mixed || s.quality != cases[i].quality ||
		    fabsl(s.imbalance - cases[i].imbalance) > 1e-9L ||
		    strcmp(v.keys.entry[s.min_at]->text, cases[i].min_at) != 0 ||
		    strcmp(v.keys.entry[s.max_at]->text, cases[i].max_at) != 0)
			fail_msg("line %d: sum %Lf, median %Lf, imbalance %Lf",
				 cases[i].line, s.sum, s.median, s.imbalance);
		values_free(&v);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_summary),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
