/* Data cache misses by place: of many places, those with the largest values are kept. */
#include "suite/profile/misses.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* The names are not used here. */
struct names_data names_data(const struct profile_input *input, uint64_t address)
{
	(void)input;
	return (struct names_data){.start = address, .size = 1};
}

struct symbols_frame profile_symbol(const struct profile *p, size_t input, uint64_t ip)
{
	(void)p;
	(void)input;
	return (struct symbols_frame){.offset = ip};
}

enum { PLACES = 1000, METRIC = 1 };

/* Place i has the value of i * 7 % 1000; each 10th is used by two threads. */
static void fill(struct profile *p)
{
	p->data = (struct tally){.nkey = 4, .nsum = 3};
	for (uint64_t i = 0; i < PLACES; i++)
		for (uint64_t tid = 1; tid <= (i % 10 ? 1 : 2); tid++) {
			const uint64_t key[] = {profile_key(METRIC, 0, 0), 64 * i + tid,
						tid, 0x1000};
			uint64_t *const sum = tally_at(&p->data, key, 4, 3);

			sum[0] += tid == 1 ? i * 7 % PLACES + 1 : 0;
			sum[1] += 1;
			sum[2] += 10;
		}
	assert_int_equal(tally_sort(&p->data), 0);
}

static void test_most(void **state)
{
	static const struct {
		int line;
		struct misses_wanted wanted;
		size_t n, left_n;
		uint64_t left_value, first;
	} cases[] = {
		{__LINE__, {64, 0, 0}, 1000, 0, 0, 857 * 64},
		{__LINE__, {64, 0, 10}, 10, 990, 990 * 991 / 2, 857 * 64},
		{__LINE__, {64, 0, 1}, 1, 999, 999 * 1000 / 2, 857 * 64},
		{__LINE__, {64, 0, 1000}, 1000, 0, 0, 857 * 64},
		{__LINE__, {64, 2, 0}, 100, 0, 0, 570 * 64},
		{__LINE__, {64, 2, 3}, 3, 97, 97 * (961 + 1) / 2, 570 * 64},
		{__LINE__, {64, 3, 3}, 0, 0, 0, 0},
	};
	struct profile p = {.nmetric = 2};

	(void)state;
	fill(&p);
	for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
		struct misses s;

		assert_int_equal(misses_by_unit(&s, &p, METRIC, &cases[c].wanted), 0);
		if (s.n != cases[c].n || s.left_n != cases[c].left_n ||
		    s.left_value != cases[c].left_value ||
		    (s.n && s.place[0].start != cases[c].first))
			fail_msg("line %d: %zu places, %zu left out with %llu",
				 cases[c].line, s.n, s.left_n,
				 (unsigned long long)s.left_value);
		for (size_t i = 1; i < s.n; i++)
			assert_true(s.place[i - 1].value > s.place[i].value);
		misses_free(&s);
		assert_int_equal(misses_by_unit(&s, &p, 0, &cases[c].wanted), 0);
		assert_int_equal(s.n, 0);
		misses_free(&s);
	}
	tally_free(&p.data);
}

/* Each metric has only its own entries, wherever they are among those of others. */
static void test_metrics(void **state)
{
	const struct misses_wanted all = {64, 0, 0};
	struct profile p = {.nmetric = 4, .data = {.nkey = 4, .nsum = 3}};

	(void)state;
	for (unsigned metric = 0; metric < 3; metric++)
		for (uint64_t i = 0; i < 3 + metric; i++) {
			const uint64_t key[] = {profile_key(metric, 0, 0), 64 * i, 1,
						0x1000};

			tally_at(&p.data, key, 4, 3)[0] += 1 + metric;
		}
	assert_int_equal(tally_sort(&p.data), 0);
	for (unsigned metric = 0; metric < 4; metric++) {
		struct misses s;

		assert_int_equal(misses_by_unit(&s, &p, metric, &all), 0);
		assert_int_equal(s.n, metric < 3 ? 3 + metric : 0);
		for (size_t i = 0; i < s.n; i++)
			assert_int_equal(s.place[i].value, 1 + metric);
		misses_free(&s);
	}
	tally_free(&p.data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_most),
		cmocka_unit_test(test_metrics),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
