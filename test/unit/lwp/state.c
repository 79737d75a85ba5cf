#include <lwp.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* The area of XSAVE, each byte of which is other. */
static void both_ways(void **state)
{
	uint8_t bytes[LWP_STATE_SIZE], again[1 + LWP_STATE_SIZE];
	lwp_state_t s;

	(void)state;
	for (unsigned i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)(i + 1);
	lwp_state_decode(&s, bytes);
	assert_true(s.block == UINT64_C(0x0807060504030201));
	assert_int_equal(s.flags, 0x0c0b0a09);
	assert_int_equal(s.head, 0x100f0e0d);
	assert_true(s.base == UINT64_C(0x1817161514131211));
	assert_int_equal(s.size, 0xc1b1a19);
	assert_int_equal(s.filters, 0x201f1e1d);
	assert_int_equal(s.pending.id, 0x21);
	assert_true(s.pending.timestamp == UINT64_C(0x403f3e3d3c3b3a39));
	assert_int_equal(s.counter[1], 0x0434241 & 0x3ffffff);
	assert_int_equal(s.counter[6], 0x5857565555 >> 8 & 0x3ffffff);

	memset(again, 0xaa, sizeof(again));
	lwp_state_encode(again + 1, &s);
	/* Reserved bits: 31 to 28 of the size, 31 to 26 of the counters. */
	bytes[27] &= 0x0f;
	for (unsigned i = 67; i < sizeof(bytes); i += 4)
		bytes[i] &= 0x03;
	assert_memory_equal(again + 1, bytes, sizeof(bytes));
	assert_int_equal(again[0], 0xaa);
}

static void negative_counter(void **state)
{
	uint8_t bytes[LWP_STATE_SIZE] = {0};
	lwp_state_t s;

	(void)state;
	memset(bytes + 68, 0xff, 4);
	lwp_state_decode(&s, bytes);
	assert_int_equal(s.counter[2], -1);
	assert_int_equal(s.counter[1], 0);
	assert_int_equal(s.pending.id, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_ways),
		cmocka_unit_test(negative_counter),
	};

	return cmocka_run_group_tests_name("lwp state", tests, NULL, NULL);
}
