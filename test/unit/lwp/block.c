#include <lwp.h>

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define VAL LWP_FLAG(LWP_EVENT_VAL)
#define IRE LWP_FLAG(LWP_EVENT_IRE)
#define BRE LWP_FLAG(LWP_EVENT_BRE)
#define DME LWP_FLAG(LWP_EVENT_DME)

static lwp_features_t version1(void)
{
	lwp_features_t f;

	lwp_features_version1(&f);
	return f;
}

/* The vector of a formal model of the layout, with 5 events at offset 88. */
static void vector(void **state)
{
	uint8_t bytes[128] = {
		[0] = 3, [5] = 4, [16] = 33, [32] = 65, [64] = 32, [91] = 2};
	lwp_features_t f = version1();
	lwp_block_t b;

	(void)state;
	f.event_offset = 88;
	f.max_events = 5;
	assert_int_equal(lwp_block_decode(&b, bytes, sizeof(bytes), &f), 0);
	assert_int_equal(b.flags, 3);
	assert_int_equal(b.buffer_size, 1024);
	assert_int_equal(b.head, 33);
	assert_int_equal(b.threshold, 65);
	assert_int_equal(b.tail, 32);
	assert_int_equal(b.events, 5);
	assert_int_equal(b.interval[1], -33554432);

	assert_int_equal(lwp_block_start(&b, &f, 15), 0);
	assert_int_equal(b.flags, VAL); /* bit 0 is reserved */
	assert_int_equal(b.buffer_size, 1024);
	assert_int_equal(b.head, 32);
	assert_int_equal(b.threshold, 64);
	assert_int_equal(b.tail, 32);
	assert_int_equal(b.interval[1], 0);
}

static const lwp_block_t full = {
	.flags = LWP_FLAG_INT | DME | VAL,
	.buffer_size = 0xfffffe0,
	.random = 13,
	.events = 6,
	.buffer_base = UINT64_C(0x123456789abcdef0),
	.head = 64,
	.tail = 32,
	.missed = UINT64_C(0xfedcba9876543210),
	.threshold = 96,
	.filters = LWP_FILTER_IPF | 3,
	.base_ip = 0x401000,
	.limit_ip = 0x402000,
	.software = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16},
	.interval = {0, 1, LWP_INTERVAL_MAX, LWP_INTERVAL_MIN, -1, 0, 6},
	.counter = {0, 7, LWP_INTERVAL_MIN, LWP_INTERVAL_MAX, 0, -2, 12},
};

/* Bytes of it, at their offsets. */
static const struct {
	uint8_t at, byte;
} bytes_of_full[] = {
	{0, 0x12},   {3, 0x80},	  {4, 0xe0},   {7, 0xdf}, {8, 0xf0}, {15, 0x12},
	{16, 64},    {24, 0x10},  {31, 0xfe},  {32, 96},  {36, 3},   {39, 0x80},
	{41, 0x10},  {49, 0x20},  {64, 32},    {72, 1},	  {87, 16},  {128, 1},
	{132, 7},    {136, 0xff}, {139, 1},    {140, 0},  {143, 2},  {147, 2},
	{152, 0xff}, {155, 3},	  {164, 0xfe}, {167, 3},  {168, 6},  {172, 12},
};

static void both_ways(void **state)
{
	static const uint32_t offsets[] = {88, 128, 136, 248};
	lwp_features_t f = version1();

	(void)state;
	for (size_t k = 0; k < sizeof(offsets) / sizeof(*offsets); k++) {
		/* The block need not be aligned. */
		uint8_t memory[1 + 248 + 48], *bytes = memory + 1;
		const size_t size = offsets[k] + 48;
		lwp_block_t b;

		f.event_offset = offsets[k];
		memset(memory, 0xaa, sizeof(memory));
		assert_int_equal(lwp_block_encode(bytes, size, &full, &f), 0);
		for (size_t i = 0; i < sizeof(bytes_of_full) / sizeof(*bytes_of_full);
		     i++) {
			const unsigned at = bytes_of_full[i].at;
			const unsigned moved = at < 128 ? at : at - 128 + offsets[k];

			if (bytes[moved] != bytes_of_full[i].byte)
				fail_msg("byte %u is 0x%x", at, bytes[moved]);
		}
		for (unsigned at = 88; at < offsets[k]; at++)
			assert_int_equal(bytes[at], 0);
		assert_int_equal(lwp_block_decode(&b, bytes, size, &f), 0);
		assert_int_equal(b.flags, full.flags);
		assert_int_equal(b.buffer_size, full.buffer_size);
		assert_int_equal(b.random, full.random);
		assert_int_equal(b.events, full.events);
		assert_true(b.buffer_base == full.buffer_base);
		assert_int_equal(b.head, full.head);
		assert_int_equal(b.tail, full.tail);
		assert_true(b.missed == full.missed);
		assert_int_equal(b.threshold, full.threshold);
		assert_int_equal(b.filters, full.filters);
		assert_int_equal(b.base_ip, full.base_ip);
		assert_int_equal(b.limit_ip, full.limit_ip);
		assert_memory_equal(b.software, full.software, 16);
		assert_memory_equal(b.interval, full.interval, sizeof(b.interval));
		assert_memory_equal(b.counter, full.counter, sizeof(b.counter));
	}
}

/* How many events a block of a size has, or -1: EINVAL. */
static void sizes(void **state)
{
	static const struct {
		int line;
		size_t size;
		uint32_t offset, max;
		int events;
	} cases[] = {
		{__LINE__, 176, 128, 6, 6},   {__LINE__, 175, 128, 6, 5},
		{__LINE__, 128, 128, 6, 0},   {__LINE__, 88, 128, 6, 0},
		{__LINE__, 87, 128, 6, -1},   {__LINE__, 0, 128, 6, -1},
		{__LINE__, 176, 80, 6, -1},   {__LINE__, 176, 0, 6, -1},
		{__LINE__, 2040, 88, 16, 16}, {__LINE__, 2040, 88, 255, 16},
		{__LINE__, 2040, 88, 0, 0},
	};
	static uint8_t bytes[2040];
	lwp_features_t f = version1();

	(void)state;
	for (size_t k = 0; k < sizeof(cases) / sizeof(*cases); k++) {
		lwp_block_t b = {0};

		f.event_offset = cases[k].offset;
		f.max_events = cases[k].max;
		errno = 0;
		const int rc = lwp_block_decode(&b, bytes, cases[k].size, &f);
		const int got = rc ? -1 : b.events;

		if (got != cases[k].events || (rc && errno != EINVAL))
			fail_msg("line %d: %d events", cases[k].line, got);
		b.events = cases[k].events < 0 ? 0 : (uint8_t)cases[k].events;
		assert_int_equal(lwp_block_encode(bytes, cases[k].size, &b, &f), rc);
		b.events++;
		assert_int_equal(lwp_block_encode(bytes, cases[k].size, &b, &f), -1);
	}
}

static void out_of_range(void **state)
{
	uint8_t bytes[176];
	const lwp_features_t f = version1();
	lwp_block_t b;

	(void)state;
#define REFUSED(change)                                                        \
	(b = full, b change, errno = 0,                                        \
	 assert_int_equal(lwp_block_encode(bytes, sizeof(bytes), &b, &f), -1), \
	 assert_int_equal(errno, EINVAL))
	b = full;
	b.buffer_size = (1 << 28) - 1;
	b.random = 15;
	assert_int_equal(lwp_block_encode(bytes, sizeof(bytes), &b, &f), 0);
	REFUSED(.buffer_size = 1 << 28);
	REFUSED(.random = 16);
	REFUSED(.interval[1] = LWP_INTERVAL_MAX + 1);
	REFUSED(.counter[6] = LWP_INTERVAL_MIN - 1);
#undef REFUSED
}

/* A block before and after LLWPCB; records have 32 bytes, intervals are at least 15. */
static const struct {
	int line;
	lwp_block_t before, after;
} starts[] = {
	{__LINE__,
	 {.flags = UINT32_MAX, .buffer_size = 64},
	 {.flags = LWP_FLAG_INT | 0x7e, .buffer_size = 64}},
	{__LINE__, {.buffer_size = 95}, {.buffer_size = 64}},
	{__LINE__, {.buffer_size = 32}, {.buffer_size = 32}},
	{__LINE__, {.buffer_size = 96, .head = 64}, {.buffer_size = 96, .head = 64}},
	{__LINE__, {.buffer_size = 96, .head = 63}, {.buffer_size = 96, .head = 32}},
	{__LINE__, {.buffer_size = 96, .head = 65}, {.buffer_size = 96}},
	{__LINE__, {.buffer_size = 96, .head = UINT32_MAX}, {.buffer_size = 96}},
	{__LINE__,
	 {.buffer_size = 96, .threshold = 95, .tail = 77},
	 {.buffer_size = 96, .threshold = 64, .tail = 77}},
	/* Intervals and counters of enabled events alone change. */
	{__LINE__,
	 {.flags = VAL | IRE | BRE,
	  .buffer_size = 64,
	  .events = 6,
	  .interval = {0, -1, -1, 14, -1, 3, 0},
	  .counter = {0, -1, 5, -7, -1, 3, 0}},
	 {.flags = VAL | IRE | BRE,
	  .buffer_size = 64,
	  .events = 6,
	  .interval = {0, 0, 15, 15, -1, 3, 0},
	  .counter = {0, 0, 5, 0, -1, 3, 0}}},
	{__LINE__,
	 {.flags = VAL | IRE,
	  .buffer_size = 64,
	  .events = 6,
	  .interval = {0, 3, 16},
	  .counter = {0, 9, 99}},
	 {.flags = VAL | IRE,
	  .buffer_size = 64,
	  .events = 6,
	  .interval = {0, 3, 16},
	  .counter = {0, 9, 99}}},
};

/* The last event that has an interval is treated as the others. */
static void start_last(void **state)
{
	lwp_features_t f = version1();
	lwp_block_t b = {.buffer_size = 64, .flags = UINT32_MAX};

	(void)state;
	f.available = UINT32_MAX;
	b.events = LWP_MAX_COUNTERS;
	b.interval[LWP_MAX_COUNTERS] = b.counter[LWP_MAX_COUNTERS] = -1;
	assert_int_equal(lwp_block_start(&b, &f, 15), 0);
	assert_int_equal(b.interval[LWP_MAX_COUNTERS], 15);
	assert_int_equal(b.counter[LWP_MAX_COUNTERS], 0);
}

static void start(void **state)
{
	const lwp_features_t f = version1();

	(void)state;
	for (size_t k = 0; k < sizeof(starts) / sizeof(*starts); k++) {
		const lwp_block_t *want = &starts[k].after;
		lwp_block_t b = starts[k].before;

		assert_int_equal(lwp_block_start(&b, &f, 15), 0);
		if (b.flags != want->flags || b.buffer_size != want->buffer_size ||
		    b.head != want->head || b.tail != want->tail ||
		    b.threshold != want->threshold ||
		    memcmp(b.interval, want->interval, sizeof(b.interval)) != 0 ||
		    memcmp(b.counter, want->counter, sizeof(b.counter)) != 0)
			fail_msg("line %d", starts[k].line);
	}
}

static void start_refused(void **state)
{
	lwp_features_t f = version1();
	lwp_block_t b = {.buffer_size = 31, .head = 77};

	(void)state;
	errno = 0;
	assert_int_equal(lwp_block_start(&b, &f, 0), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(b.head, 77);
	f.min_buffer = 2;
	b.buffer_size = 2 * 32 * 32 - 1;
	assert_int_equal(lwp_block_start(&b, &f, 0), -1);
	b.buffer_size++;
	assert_int_equal(lwp_block_start(&b, &f, 0), 0);
	f.event_size = 0;
	assert_int_equal(lwp_block_start(&b, &f, 0), -1);
}

static void filters_that_work(void **state)
{
	static const uint32_t ip = LWP_FILTER_IPF | LWP_FILTER_IPI,
			      prediction = LWP_FILTER_NMB | LWP_FILTER_NPB,
			      levels = 0x1f << 8, latency = 0xff;
	lwp_features_t f = version1();
	lwp_block_t b = {.buffer_size = 64, .filters = UINT32_MAX};

	(void)state;
	assert_int_equal(lwp_block_start(&b, &f, 0), 0);
	assert_int_equal(b.filters, UINT32_MAX);
	f.has_ip_filtering = 0;
	lwp_block_start(&b, &f, 0);
	assert_int_equal(b.filters, ~ip);
	f.has_branch_prediction = 0;
	lwp_block_start(&b, &f, 0);
	assert_int_equal(b.filters, ~(ip | prediction));
	f.has_cache_levels = 0;
	lwp_block_start(&b, &f, 0);
	assert_int_equal(b.filters, ~(ip | prediction | levels));
	f.has_cache_latency = 0;
	lwp_block_start(&b, &f, 0);
	assert_int_equal(b.filters, ~(ip | prediction | levels | latency));
}

/* A block without problems, apart from one member. */
#define GOOD .buffer_size = 1024, .events = 6

static const struct {
	int line;
	lwp_block_t b;
	unsigned bad;
} checks[] = {
	{__LINE__, {GOOD}, 0},
	{__LINE__,
	 {.buffer_size = 16, .events = 6},
	 LWP_BAD_SIZE | LWP_BAD_SIZE_STEP | LWP_BAD_HEAD | LWP_BAD_TAIL},
	{__LINE__, {.buffer_size = 1023, .events = 6}, LWP_BAD_SIZE_STEP},
	{__LINE__, {GOOD, .head = 992}, 0},
	{__LINE__, {GOOD, .head = 993}, LWP_BAD_HEAD},
	{__LINE__, {GOOD, .head = 33}, LWP_BAD_HEAD_STEP},
	{__LINE__, {GOOD, .tail = 64}, 0},
	{__LINE__, {GOOD, .tail = 1024}, LWP_BAD_TAIL},
	{__LINE__, {GOOD, .tail = 993}, LWP_BAD_TAIL_STEP},
	{__LINE__, {GOOD, .threshold = 33}, 0},
	{__LINE__, {GOOD, .flags = LWP_FLAG_INT, .threshold = 33}, LWP_BAD_THRESHOLD},
	{__LINE__, {GOOD, .flags = LWP_FLAG_INT, .threshold = 1024}, 0},
	{__LINE__, {GOOD, .flags = LWP_FLAG_INT, .threshold = 1056}, LWP_BAD_THRESHOLD},
	{__LINE__, {GOOD, .flags = LWP_FLAG_PTSC}, LWP_BAD_FLAGS},
	{__LINE__, {GOOD, .flags = 1}, LWP_BAD_FLAGS},
	{__LINE__, {GOOD, .filters = LWP_FILTER_NMB | LWP_FILTER_NPB}, 0},
	{__LINE__,
	 {GOOD, .flags = BRE, .filters = LWP_FILTER_NMB | LWP_FILTER_NPB},
	 LWP_BAD_BRANCHES},
	{__LINE__,
	 {GOOD, .flags = BRE,
	  .filters = LWP_FILTER_NAB | LWP_FILTER_NCB | LWP_FILTER_NRB},
	 LWP_BAD_BRANCHES},
	{__LINE__, {GOOD, .flags = BRE, .filters = LWP_FILTER_NAB | LWP_FILTER_NCB}, 0},
	{__LINE__, {GOOD, .filters = LWP_FILTER_IPF, .base_ip = 2, .limit_ip = 2}, 0},
	{__LINE__,
	 {GOOD, .filters = LWP_FILTER_IPF, .base_ip = 3, .limit_ip = 2},
	 LWP_BAD_RANGE},
	{__LINE__, {GOOD, .base_ip = 3, .limit_ip = 2}, 0},
	{__LINE__, {GOOD, .interval = {0, -1}}, 0},
	{__LINE__, {GOOD, .flags = VAL, .interval = {0, -1}}, LWP_BAD_INTERVAL},
	{__LINE__, {GOOD, .flags = VAL, .counter = {0, -1}}, LWP_BAD_COUNTER},
	{__LINE__,
	 {GOOD, .flags = LWP_FLAG(6), .counter = {0, 0, 0, 0, 0, 0, -1}},
	 LWP_BAD_COUNTER},
	{__LINE__, {GOOD, .flags = VAL, .random = 4, .interval = {0, 15}}, 0},
	{__LINE__,
	 {GOOD, .flags = VAL, .random = 4, .interval = {0, 14}},
	 LWP_BAD_RANDOM},
	{__LINE__, {GOOD, .filters = 1 << 24}, LWP_BAD_RESERVED},
	{__LINE__, {GOOD, .buffer_base = UINT64_MAX - 1022}, LWP_BAD_WRAP},
	{__LINE__, {GOOD, .buffer_base = UINT64_MAX - 1024}, 0},
};

static void check(void **state)
{
	const lwp_features_t f = version1();

	(void)state;
	for (size_t k = 0; k < sizeof(checks) / sizeof(*checks); k++) {
		uint8_t bytes[176];

		assert_int_equal(lwp_block_encode(bytes, sizeof(bytes), &checks[k].b, &f),
				 0);
		const unsigned bad = lwp_block_check(bytes, sizeof(bytes), &f);

		if (bad != checks[k].bad)
			fail_msg("line %d: 0x%x", checks[k].line, bad);
	}
}

/* Each reserved byte and bit is noticed, and no other one counts as reserved. */
static void check_reserved(void **state)
{
	const lwp_features_t f = version1();
	const lwp_block_t good = {GOOD};

	(void)state;
	for (unsigned at = 0; at < 176; at++) {
		const unsigned pair = at % 4;
		const int is_reserved = (at >= 20 && at < 24) || (at >= 56 && at < 64) ||
					(at >= 68 && at < 72) || (at >= 88 && at < 128) ||
					(at >= 128 && pair == 3);
		uint8_t bytes[176];

		lwp_block_encode(bytes, sizeof(bytes), &good, &f);
		bytes[at] |= 0x80;
		const unsigned bad = lwp_block_check(bytes, sizeof(bytes), &f);

		if (!!(bad & LWP_BAD_RESERVED) != (is_reserved || at == 37 || at == 38))
			fail_msg("byte %u: 0x%x", at, bad);
	}
}

static void check_short(void **state)
{
	lwp_features_t f = version1();
	const lwp_block_t good = {GOOD};
	uint8_t bytes[176];

	(void)state;
	lwp_block_encode(bytes, sizeof(bytes), &good, &f);
	for (size_t size = 0; size < sizeof(bytes); size++)
		assert_int_equal(lwp_block_check(bytes, size, &f), LWP_BAD_SHORT);
	f.has_ip_filtering = 0;
	bytes[39] = 0x80;
	assert_int_equal(lwp_block_check(bytes, sizeof(bytes), &f), LWP_BAD_FILTERS);
}

static void problem_sentences(void **state)
{
	(void)state;
	for (unsigned bit = 1; bit <= LWP_BAD_SHORT; bit <<= 1)
		assert_non_null(lwp_problem(bit));
	assert_null(lwp_problem(0));
	assert_null(lwp_problem(3));
	assert_null(lwp_problem(LWP_BAD_SHORT << 1));
}

static void intervals(void **state)
{
	(void)state;
	assert_int_equal(lwp_interval_decode(0), 0);
	assert_int_equal(lwp_interval_decode(0x1ffffff), LWP_INTERVAL_MAX);
	assert_int_equal(lwp_interval_decode(0x2000000), LWP_INTERVAL_MIN);
	assert_int_equal(lwp_interval_decode(0x3ffffff), -1);
	assert_int_equal(lwp_interval_decode(0xffffffff), -1);
	assert_int_equal(lwp_interval_decode(0xfc000001), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(vector),	 cmocka_unit_test(both_ways),
		cmocka_unit_test(sizes),	 cmocka_unit_test(out_of_range),
		cmocka_unit_test(start),	 cmocka_unit_test(start_last),
		cmocka_unit_test(start_refused), cmocka_unit_test(filters_that_work),
		cmocka_unit_test(check),	 cmocka_unit_test(check_reserved),
		cmocka_unit_test(check_short),	 cmocka_unit_test(problem_sentences),
		cmocka_unit_test(intervals),
	};

	return cmocka_run_group_tests_name("lwp block", tests, NULL, NULL);
}
