/* Tallies: every key has its own sums, whatever the order and the number of keys. */
#include "suite/profile/tally.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Keys that differ in one word alone, and more of them than the table has at first. */
static void test_sums(void **state)
{
	enum { KEYS = 5000, ROUNDS = 3 };
	struct tally t = {.nkey = 2, .nsum = 2};

	(void)state;
	for (uint64_t round = 1; round <= ROUNDS; round++)
		for (uint64_t i = 0; i < 2 * KEYS; i++) {
			uint64_t *sum =
				tally_at(&t, (uint64_t[]){i % 2, i / 2 << 12}, 2, 2);

			sum[0] += 1;
			sum[1] += i * round;
		}
	assert_int_equal(t.n, 2 * KEYS);
	assert_int_equal(tally_sort(&t), 0);
	for (uint64_t i = 0; i < 2 * KEYS; i++) {
		const uint64_t *entry = tally_entry(&t, i);

		assert_int_equal(entry[0], i / KEYS);
		assert_int_equal(entry[1], i % KEYS << 12);
		assert_int_equal(entry[2], ROUNDS);
		assert_int_equal(entry[3], (i % KEYS * 2 + i / KEYS) * 6);
	}
	tally_free(&t);
}

static int is_less(const uint64_t *x, const uint64_t *y, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (x[i] != y[i])
			return x[i] < y[i];
	return 0;
}

/* The keys of a case differ in the bits of these masks alone. */
static const struct {
	int line;
	uint64_t mask[3];
	size_t n; /* different keys of KEYS */
} orders[] = {
	{__LINE__, {UINT64_MAX, UINT64_MAX, UINT64_MAX}, 20000},
	{__LINE__, {0, 0, UINT64_MAX}, 20000},
	{__LINE__, {UINT64_C(1) << 63, 0, 0xff00}, 512},
	{__LINE__, {0, 0xf, 0xf}, 256},
	{__LINE__, {1, 0, 0}, 2},
	{__LINE__, {0, 0, 0}, 1},
	{__LINE__, {UINT64_C(0x8000000000000001), 7, UINT64_C(7) << 30}, 256},
};

static void test_order(void **state)
{
	enum { KEYS = 20000 };
	uint64_t x = 88172645463325252;

	(void)state;
	for (size_t c = 0; c < sizeof orders / sizeof *orders; c++) {
		struct tally t = {.nkey = 3, .nsum = 1};
		uint64_t sum = 0;

		for (unsigned i = 0; i < KEYS; i++) {
			uint64_t key[3];

			for (unsigned k = 0; k < 3; k++) {
				x ^= x << 13; /* xorshift64 */
				x ^= x >> 7;
				x ^= x << 17;
				key[k] = x & orders[c].mask[k];
			}
			tally_at(&t, key, 3, 1)[0] += 1;
		}
		assert_int_equal(tally_sort(&t), 0);
		if (t.n != orders[c].n)
			fail_msg("line %d: %zu keys", orders[c].line, t.n);
		for (size_t i = 0; i < t.n; i++) {
			sum += tally_entry(&t, i)[3];
			if (i && !is_less(tally_entry(&t, i - 1), tally_entry(&t, i), 3))
				fail_msg("line %d: entry %zu", orders[c].line, i);
		}
		assert_int_equal(sum, KEYS);
		tally_free(&t);
	}
}

static void test_empty(void **state)
{
	struct tally t = {.nkey = 1, .nsum = 1};

	(void)state;
	assert_int_equal(tally_sort(&t), 0);
	assert_int_equal(t.n, 0);
	tally_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sums),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_empty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
