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
		cmocka_unit_test(test_empty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
