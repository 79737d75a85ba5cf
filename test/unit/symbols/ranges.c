#include "symbols/ranges.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Ranges of the addresses 0 to 9; the text has the value of each address, or '.'. */
static const struct {
	int line;
	struct range range[4];
	const char *text;
} cases[] = {
	{__LINE__, {{0}}, ".........."},
	{__LINE__, {{2, 5, 1, 0}}, "..111....."},
	{__LINE__, {{0, 10, 1, 0}}, "1111111111"},
	{__LINE__, {{5, 5, 1, 0}, {6, 4, 1, 0}}, ".........."},
	/* side by side */
	{__LINE__, {{1, 3, 1, 0}, {3, 4, 2, 0}, {6, 7, 3, 0}}, ".112..3..."},
	{__LINE__, {{3, 6, 1, 0}, {1, 3, 1, 0}}, ".11111...."},
	/* nested */
	{__LINE__, {{1, 9, 1, 0}, {3, 5, 2, 0}}, ".11221111."},
	{__LINE__, {{3, 5, 2, 0}, {1, 9, 1, 0}}, ".11221111."},
	{__LINE__, {{1, 9, 1, 0}, {2, 8, 2, 0}, {3, 7, 3, 0}}, ".12333321."},
	{__LINE__, {{1, 9, 1, 0}, {2, 5, 2, 0}, {5, 9, 3, 0}}, ".12223333."},
	{__LINE__, {{1, 9, 1, 0}, {1, 4, 2, 0}, {4, 6, 3, 0}}, ".22233111."},
	/* the same range */
	{__LINE__, {{1, 4, 1, 5}, {1, 4, 2, 3}}, ".111......"},
	{__LINE__, {{1, 4, 2, 3}, {1, 4, 1, 5}}, ".111......"},
	/* overlapping */
	{__LINE__, {{1, 5, 1, 0}, {3, 8, 2, 0}}, ".1122222.."},
	{__LINE__, {{1, 9, 1, 0}, {2, 5, 2, 0}, {4, 7, 3, 0}}, ".12233311."},
	{__LINE__, {{0, 4, 1, 0}, {1, 8, 2, 0}, {2, 6, 3, 0}}, "12333322.."},
};

static void find(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct ranges r = {0};
		char text[11] = "";

		for (int k = 0; k < 4; k++)
			assert_int_equal(ranges_add(&r, cases[i].range[k].start,
						    cases[i].range[k].end,
						    cases[i].range[k].value,
						    cases[i].range[k].rank),
					 0);
		assert_int_equal(ranges_finish(&r), 0);
		for (unsigned a = 0; a < 10; a++) {
			const uint32_t v = ranges_find(&r, a);

			text[a] = v == RANGES_NONE ? '.' : '0' + v;
		}
		if (strcmp(text, cases[i].text) != 0)
			fail_msg("line %d: %s", cases[i].line, text);
		ranges_free(&r);
	}
}

/* Many random ranges, compared with a search of the list. */
static void random_ranges(void **state)
{
	enum { N = 60, END = 200 };
	struct range list[N];
	uint64_t seed = 1;

	(void)state;
	for (int round = 0; round < 200; round++) {
		struct ranges r = {0};

		for (unsigned i = 0; i < N; i++) {
			seed = seed * 6364136223846793005 + 1442695040888963407;
			list[i].start = (seed >> 33) % END;
			list[i].end = list[i].start + (seed >> 45) % 40;
			list[i].value = list[i].rank = i;
			assert_int_equal(ranges_add(&r, list[i].start, list[i].end, i, i),
					 0);
		}
		assert_int_equal(ranges_finish(&r), 0);
		for (uint64_t a = 0; a < END + 50; a++) {
			const struct range *best = NULL;

			for (unsigned i = 0; i < N; i++)
				if (list[i].start <= a && a < list[i].end &&
				    (!best || list[i].start > best->start ||
				     (list[i].start == best->start &&
				      list[i].end <= best->end)))
					best = &list[i];
			assert_int_equal(ranges_find(&r, a),
					 best ? best->value : (uint32_t)RANGES_NONE);
		}
		ranges_free(&r);
	}
}

static void top_of_the_address_space(void **state)
{
	struct ranges r = {0};

	(void)state;
	assert_int_equal(ranges_add(&r, UINT64_MAX - 5, UINT64_MAX, 1, 0), 0);
	assert_int_equal(ranges_finish(&r), 0);
	assert_int_equal(ranges_find(&r, UINT64_MAX - 1), 1);
	assert_int_equal(ranges_find(&r, UINT64_MAX - 6), RANGES_NONE);
	ranges_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(find),
		cmocka_unit_test(random_ranges),
		cmocka_unit_test(top_of_the_address_space),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
