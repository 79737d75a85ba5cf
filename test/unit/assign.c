#include "assign.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { MAX = 64 };

#define FULL UINT64_MAX

static const struct {
	int line;
	unsigned n;
	uint64_t can[6];
	unsigned pic[6];
	uint64_t clash; /* 0: pic is expected */
} cases[] = {
	{__LINE__, 0, {0}, {0}, 0},
	{__LINE__, 1, {1}, {0}, 0},
	{__LINE__, 1, {UINT64_C(1) << 63}, {63}, 0},
	{__LINE__, 2, {3, 3}, {0, 1}, 0},
	{__LINE__, 2, {3, 1}, {1, 0}, 0},
	{__LINE__, 3, {7, 3, 1}, {2, 1, 0}, 0},
	{__LINE__, 3, {6, 7, 5}, {1, 0, 2}, 0},
	{__LINE__, 4, {0xc, 0x6, 0x3, 0x9}, {2, 1, 0, 3}, 0},
	{__LINE__, 6, {FULL, FULL, FULL, FULL, FULL, 1}, {1, 2, 3, 4, 5, 0}, 0},
	{__LINE__, 1, {0}, {0}, 1},
	{__LINE__, 3, {1, 0, 1}, {0}, 2},
	{__LINE__, 2, {1, 1}, {0}, 3},
	{__LINE__, 3, {1, 2, 1}, {0}, 5},
	{__LINE__, 3, {1, 2, 2}, {0}, 6},
	{__LINE__, 4, {8, 3, 3, 3}, {0}, 0xe},
	{__LINE__, 6, {0x30, 1, 0x30, 2, 0x30, 4}, {0}, 0x15},
};

static void test_table(void **state)
{
	(void)state;
	for (size_t c = 0; c < sizeof(cases) / sizeof(*cases); c++) {
		unsigned pic[6] = {0};
		uint64_t clash = 0;

		errno = 0;
		const int ret = assign_pics(cases[c].can, cases[c].n, pic, &clash);
		const int bad = cases[c].clash ? !ret || errno != EINVAL : ret;

		const int wrong = memcmp(pic, cases[c].pic, sizeof(pic));

		if (bad || wrong || clash != cases[c].clash)
			fail_msg("line %d: %d, clash %#llx, pic %u %u %u %u %u %u",
				 cases[c].line, ret, (unsigned long long)clash, pic[0],
				 pic[1], pic[2], pic[3], pic[4], pic[5]);
	}
}

static void test_too_many(void **state)
{
	uint64_t can[MAX + 1], clash = 1;
	unsigned pic[MAX + 1];

	(void)state;
	for (unsigned i = 0; i <= MAX; i++)
		can[i] = FULL;
	errno = 0;
	assert_int_equal(assign_pics(can, MAX + 1, pic, &clash), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(clash, 0);
}

/*
 * Shapes that a plain search would walk for years: request i can use all counters up to
 * 63 - i (one assignment exists); 63 counters for 64 requests; and two requests of one
 * counter behind 62 that can use all.
 */
static void test_big(void **state)
{
	uint64_t can[MAX], clash = 0;
	unsigned pic[MAX];

	(void)state;
	for (unsigned i = 0; i < MAX; i++)
		can[i] = FULL >> i;
	assert_int_equal(assign_pics(can, MAX, pic, &clash), 0);
	for (unsigned i = 0; i < MAX; i++)
		assert_int_equal(pic[i], MAX - 1 - i);

	for (unsigned i = 0; i < MAX; i++)
		can[i] = FULL >> 1;
	assert_int_equal(assign_pics(can, MAX, pic, &clash), -1);
	assert_true(clash == FULL);

	for (unsigned i = 0; i < MAX; i++)
		can[i] = i < MAX - 2 ? FULL : 1;
	assert_int_equal(assign_pics(can, MAX, pic, &clash), -1);
	assert_true(clash == UINT64_C(3) << 62);
}

/* The same by trying everything: the first assignment in lexicographic order. */
static int search(const uint64_t *can, unsigned n, uint64_t set, unsigned i,
		  uint64_t used, unsigned *pic)
{
	if (i == n)
		return 1;
	if (!(set >> i & 1))
		return search(can, n, set, i + 1, used, pic);
	for (pic[i] = 0; pic[i] < MAX; pic[i]++) {
		const uint64_t bit = UINT64_C(1) << pic[i];

		if (can[i] & ~used & bit && search(can, n, set, i + 1, used | bit, pic))
			return 1;
	}
	return 0;
}

static uint64_t xorshift(uint64_t *x)
{
	*x ^= *x << 13;
	*x ^= *x >> 7;
	*x ^= *x << 17;
	return *x;
}

/* Is clash infeasible, and feasible without any one of its requests? */
static int minimal(const uint64_t *can, unsigned n, uint64_t clash)
{
	unsigned pic[MAX];

	if (!clash || clash >> n || search(can, n, clash, 0, 0, pic))
		return 0;
	for (uint64_t left = clash; left; left &= left - 1)
		if (!search(can, n, clash & ~(left & -left), 0, 0, pic))
			return 0;
	return 1;
}

static void test_against_search(void **state)
{
	uint64_t x = 0x9e3779b97f4a7c15;
	unsigned yes = 0, no = 0;

	(void)state;
	for (int round = 0; round < 100000; round++) {
		const unsigned n = 1 + xorshift(&x) % 6, npic = 1 + xorshift(&x) % 6;
		uint64_t can[6], clash = 0;
		unsigned pic[6] = {0}, want[6] = {0};

		for (unsigned i = 0; i < n; i++)
			can[i] = xorshift(&x) & xorshift(&x) >> 8 * (round & 1) &
				 ((UINT64_C(1) << npic) - 1);

		const int ok = !assign_pics(can, n, pic, &clash);
		if (ok != search(can, n, FULL, 0, 0, want))
			fail_msg("round %d: feasible %d is wrong", round, ok);
		if (ok && memcmp(pic, want, n * sizeof(*pic)))
			fail_msg("round %d: not the first assignment", round);
		if (!ok && !minimal(can, n, clash))
			fail_msg("round %d: clash %#llx is not minimal", round,
				 (unsigned long long)clash);
		yes += ok;
		no += !ok;
	}
	/* Neither answer is rare in what was tried. */
	assert_true(yes > 10000 && no > 10000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_too_many),
		cmocka_unit_test(test_big),
		cmocka_unit_test(test_against_search),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
