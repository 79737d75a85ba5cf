/* Rings: what is stored, what is read, and rings that do not make sense. */
#include <lwp.h>

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A ring whose memory has exactly the size, so that sanitizers see each byte beyond. */
static uint8_t *open_ring(lwp_ring_t *r, uint32_t slots, uint32_t event_size)
{
	const lwp_block_t b = {.buffer_size = slots * event_size};
	uint8_t *bytes = calloc(slots, event_size);

	assert_non_null(bytes);
	assert_int_equal(lwp_ring_init(r, &b, bytes, b.buffer_size, event_size), 0);
	return bytes;
}

static uint64_t number_of(const void *slot)
{
	lwp_record_t record;

	assert_non_null(slot);
	lwp_record_decode(&record, slot);
	return record.data2;
}

/* Random stores and reads: each event is either read, still in the ring, or missed. */
static void stored_and_missed(void **state)
{
	(void)state;
	srand(16);
	for (unsigned round = 0; round < 300; round++) {
		const uint32_t slots = 1 + (unsigned)rand() % 40;
		const uint32_t event_size = 32 + (unsigned)rand() % 3 * 8;
		_Alignas(8) uint8_t block[88] = {0};
		uint64_t events = 0, stored = 0, read = 0, expected = 0;
		lwp_ring_t r;
		uint8_t *bytes = open_ring(&r, slots, event_size);
		uint64_t *kept = calloc(2000, sizeof(*kept));

		assert_non_null(kept);
		while (events < 1500) {
			for (unsigned n = (unsigned)rand() % 30; n; n--) {
				const lwp_record_t record = {.id = LWP_EVENT_VAL,
							     .data2 = ++events};

				if (lwp_ring_store(&r, bytes, &record))
					kept[stored++] = events;
			}
			uint32_t have = lwp_ring_count(&r);

			assert_int_equal(have, stored - read);
			assert_in_range(have, 0, slots - 1);
			for (uint32_t i = 0; i < have; i++)
				assert_int_equal(number_of(lwp_ring_slot(&r, i, NULL)),
						 kept[expected + i]);
			if (have)
				have = (unsigned)rand() % (have + 1);
			assert_int_equal(lwp_ring_release(&r, block, have), 0);
			read += have;
			expected += have;
		}
		assert_int_equal(stored + r.missed, events);
		assert_int_equal(read + lwp_ring_count(&r) + r.missed, events);
		free(kept);
		free(bytes);
	}
}

/* The slots outside the records: the last missed one first, then those read before. */
static void slots_outside(void **state)
{
	_Alignas(8) uint8_t block[88] = {0};
	lwp_ring_t r;
	uint8_t *bytes = open_ring(&r, 4, 32);
	static const uint64_t want[] = {3, 6, 7, 8};

	(void)state;
	for (uint64_t i = 1; i <= 8; i++) {
		const lwp_record_t record = {.id = LWP_EVENT_INS, .data2 = i};
		/* Records 1 and 2 are read, 8 is missed, and 4 and 5 too. */
		const int want_stored = i < 4 || i == 6 || i == 7;

		assert_int_equal(lwp_ring_store(&r, bytes, &record), want_stored);
		if (i == 5)
			assert_int_equal(lwp_ring_release(&r, block, 2), 0);
	}
	assert_int_equal(r.missed, 3);
	assert_int_equal(lwp_ring_count(&r), 3);
	/* The tail in the LWPCB is little endian. */
	assert_int_equal(block[LWP_BLOCK_TAIL], 64);
	assert_int_equal(block[LWP_BLOCK_TAIL + 1], 0);
	for (uint32_t i = 0; i < 4; i++)
		assert_int_equal(number_of(lwp_ring_slot(&r, i, NULL)), want[i]);
	assert_null(lwp_ring_slot(&r, 4, NULL));
	free(bytes);
}

/* What a record of a later version has after byte 32 becomes 0. */
static void larger_records(void **state)
{
	lwp_ring_t r;
	uint8_t *bytes = open_ring(&r, 2, 40);
	const lwp_record_t record = {.id = LWP_EVENT_INS, .timestamp = UINT64_MAX};

	(void)state;
	memset(bytes, 0xaa, 80);
	assert_int_equal(lwp_ring_store(&r, bytes, &record), 1);
	for (unsigned i = 24; i < 80; i++)
		assert_int_equal(bytes[i], i < 32 ? 0xff : i < 40 ? 0 : 0xaa);
	free(bytes);
}

/* Runs of slots cover the ring once, and end at its end and at head. */
static void runs(void **state)
{
	static const struct {
		int line;
		uint32_t head, tail, present;
		uint32_t want[4]; /* lengths of the runs of all slots */
	} cases[] = {
		{__LINE__, 0, 0, 8, {8}},	{__LINE__, 3, 3, 8, {5, 3}},
		{__LINE__, 5, 2, 8, {3, 3, 2}}, {__LINE__, 2, 5, 8, {3, 2, 3}},
		{__LINE__, 0, 5, 8, {3, 5}},	{__LINE__, 5, 0, 8, {5, 3}},
		{__LINE__, 5, 2, 4, {2}},	{__LINE__, 5, 2, 2, {0}},
	};
	static uint8_t bytes[8 * 40];

	(void)state;
	for (size_t k = 0; k < sizeof(cases) / sizeof(*cases); k++) {
		const lwp_block_t b = {.buffer_size = sizeof(bytes),
				       .head = cases[k].head * 40,
				       .tail = cases[k].tail * 40};
		const size_t present = cases[k].present * 40 + 39;
		lwp_ring_t r;
		uint32_t i = 0, n;

		const int problems = lwp_ring_init(
			&r, &b, bytes, present < sizeof(bytes) ? present : sizeof(bytes),
			40);

		assert_int_equal(problems, cases[k].present < 8 ? LWP_BAD_SHORT : 0);
		for (unsigned run = 0; run < 4; run++, i += n) {
			const uint8_t *slot = lwp_ring_slot(&r, i, &n);

			if (n != cases[k].want[run])
				fail_msg("line %d: run %u has %u", cases[k].line, run, n);
			if (!n) {
				assert_null(slot);
				break;
			}
			assert_ptr_equal(slot, bytes + (cases[k].tail + i) % 8 * 40);
			for (uint32_t j = 0; j < n; j++)
				assert_ptr_equal(lwp_ring_slot(&r, i + j, NULL),
						 slot + j * 40);
		}
	}
}

static const struct {
	int line;
	lwp_block_t b;
	uint32_t event_size;
	int problems; /* or -1 */
	uint32_t size, head, tail;
} geometries[] = {
	{__LINE__, {.buffer_size = 96}, 32, 0, 96, 0, 0},
	{__LINE__, {.buffer_size = 127}, 32, LWP_BAD_SIZE_STEP, 96, 0, 0},
	{__LINE__, {.buffer_size = 96, .head = 64, .tail = 32}, 32, 0, 96, 64, 32},
	{__LINE__, {.buffer_size = 96, .head = 63}, 32, LWP_BAD_HEAD_STEP, 96, 32, 0},
	{__LINE__, {.buffer_size = 96, .head = 65}, 32, LWP_BAD_HEAD, 96, 0, 0},
	{__LINE__, {.buffer_size = 96, .tail = 95}, 32, LWP_BAD_TAIL_STEP, 96, 0, 64},
	{__LINE__, {.buffer_size = 96, .tail = 96}, 32, LWP_BAD_TAIL, 96, 0, 0},
	{__LINE__,
	 {.buffer_size = 80, .head = UINT32_MAX, .tail = UINT32_MAX},
	 40,
	 LWP_BAD_HEAD | LWP_BAD_TAIL,
	 80,
	 0,
	 0},
	{__LINE__, {.buffer_size = 96}, 31, -1, 0, 0, 0},
	{__LINE__, {.buffer_size = 96}, 0, -1, 0, 0, 0},
	{__LINE__, {.buffer_size = 31}, 32, -1, 0, 0, 0},
	{__LINE__, {0}, 32, -1, 0, 0, 0},
};

static void geometry(void **state)
{
	static uint8_t bytes[128];

	(void)state;
	for (size_t k = 0; k < sizeof(geometries) / sizeof(*geometries); k++) {
		lwp_ring_t r = {0};

		errno = 0;
		const int problems =
			lwp_ring_init(&r, &geometries[k].b, bytes, sizeof(bytes),
				      geometries[k].event_size);

		if (problems != geometries[k].problems || r.size != geometries[k].size ||
		    r.head != geometries[k].head || r.tail != geometries[k].tail ||
		    (problems < 0 && errno != EINVAL))
			fail_msg("line %d: 0x%x, size %u, head %u, tail %u",
				 geometries[k].line, (unsigned)problems, r.size, r.head,
				 r.tail);
	}
}

static void refused(void **state)
{
	_Alignas(8) uint8_t block[96] = {0};
	const lwp_record_t record = {.id = LWP_EVENT_INS};
	const lwp_block_t b = {.buffer_size = 96, .head = 64};
	uint8_t bytes[64] = {0};
	lwp_ring_t r;

	(void)state;
	assert_int_equal(lwp_ring_init(&r, &b, bytes, sizeof(bytes), 32), LWP_BAD_SHORT);
	errno = 0;
	assert_int_equal(lwp_ring_store(&r, bytes, &record), -1);
	assert_int_equal(errno, EINVAL);
	errno = 0;
	assert_int_equal(lwp_ring_release(&r, block, 3), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(r.tail, 0);
	errno = 0;
	assert_int_equal(lwp_ring_release(&r, block + 4, 1), -1);
	assert_int_equal(errno, EINVAL);
	errno = 0;
	assert_int_equal(lwp_ring_acquire(&r, block + 4), -1);
	assert_int_equal(errno, EINVAL);
	/* An LWPCB whose head is anywhere. */
	memset(block, 0xff, sizeof(block));
	assert_int_equal(lwp_ring_acquire(&r, block), 0);
	assert_int_equal(r.head, 0);
	assert_true(r.missed == UINT64_MAX);
}

/* A live ring, of which one thread writes the records and another reads them. */
struct live {
	_Alignas(64) uint8_t block[176];
	uint8_t bytes[64 * 32];
};

enum { EVENTS = 200000 };

static void *write_records(void *arg)
{
	struct live *l = arg;
	const lwp_block_t b = {.buffer_size = sizeof(l->bytes)};
	lwp_ring_t r;

	lwp_ring_init(&r, &b, l->bytes, sizeof(l->bytes), 32);
	for (uint64_t i = 1; i <= EVENTS; i++) {
		const lwp_record_t record = {
			.id = LWP_EVENT_INS, .data1 = (uint32_t)i, .data2 = i};
		const uint32_t tail = __atomic_load_n(
			(const uint32_t *)(l->block + LWP_BLOCK_TAIL), __ATOMIC_ACQUIRE);

		r.tail = tail;
		lwp_ring_store(&r, l->bytes, &record);
		__atomic_store_n((uint64_t *)(l->block + LWP_BLOCK_MISSED), r.missed,
				 __ATOMIC_RELAXED);
		__atomic_store_n((uint32_t *)(l->block + LWP_BLOCK_HEAD), r.head,
				 __ATOMIC_RELEASE);
	}
	return NULL;
}

static void live(void **state)
{
	static struct live l;
	const lwp_block_t b = {.buffer_size = sizeof(l.bytes)};
	uint64_t read = 0, last = 0;
	int is_running = 1;
	pthread_t writer;
	lwp_ring_t r;

	(void)state;
	assert_int_equal(lwp_ring_init(&r, &b, l.bytes, sizeof(l.bytes), 32), 0);
	assert_int_equal(pthread_create(&writer, NULL, write_records, &l), 0);
	do {
		is_running = is_running && pthread_tryjoin_np(writer, NULL) != 0;
		const int64_t n = lwp_ring_acquire(&r, l.block);

		assert_in_range(n, 0, 63);
		for (int64_t i = 0; i < n; i++) {
			lwp_record_t record;

			lwp_record_decode(&record, lwp_ring_slot(&r, (uint32_t)i, NULL));
			assert_true(record.data2 > last);
			assert_int_equal(record.data1, (uint32_t)record.data2);
			last = record.data2;
		}
		assert_int_equal(lwp_ring_release(&r, l.block, (uint32_t)n), 0);
		read += (uint64_t)n;
	} while (is_running || lwp_ring_count(&r));
	assert_int_equal(lwp_ring_acquire(&r, l.block), 0);
	assert_int_equal(read + r.missed, EVENTS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stored_and_missed),
		cmocka_unit_test(slots_outside),
		cmocka_unit_test(larger_records),
		cmocka_unit_test(runs),
		cmocka_unit_test(geometry),
		cmocka_unit_test(refused),
		cmocka_unit_test(live),
	};

	return cmocka_run_group_tests_name("lwp ring", tests, NULL, NULL);
}
