#include "engine/ring/ring.h"

#include <linux/perf_event.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define BIT(item) (UINT64_C(1) << (item))
#define ALL	  (BIT(ENGINE_NITEMS) - 1)

enum { SIZE = 256, MAX = 32 };

/* A ring into which a test writes as the kernel does. */
struct writer {
	unsigned char data[SIZE];
	uint64_t head;
	struct kernel_ring ring;
	uint64_t rec[MAX * ENGINE_NITEMS];
};

static void start_ring(struct writer *w, uint64_t items, uint64_t at)
{
	memset(w, 0xee, sizeof *w);
	w->head = at;
	w->ring = (struct kernel_ring){
		.data = w->data,
		.size = SIZE,
		.tail = at,
		.sample_type = kernel_ring_sample_type(items),
	};
}

static void put(struct writer *w, uint64_t word)
{
	for (unsigned i = 0; i < 8; i++)
		w->data[w->head++ % SIZE] = ((unsigned char *)&word)[i];
}

static uint64_t header(uint32_t type, uint16_t size)
{
	const struct perf_event_header h = {.type = type, .size = size};
	uint64_t word;

	memcpy(&word, &h, sizeof word);
	return word;
}

static uint64_t halves(uint32_t first, uint32_t second)
{
	const uint32_t both[2] = {first, second};
	uint64_t word;

	memcpy(&word, both, sizeof word);
	return word;
}

/* A sample with all items in the order of perf_event_open(2); each value differs. */
static void put_sample(struct writer *w, uint64_t n)
{
	put(w, header(PERF_RECORD_SAMPLE, 72));
	put(w, 1000 + n);	      /* ip */
	put(w, halves(1, 2000 + n));  /* pid, tid */
	put(w, 3000 + n);	      /* time */
	put(w, 4000 + n);	      /* addr */
	put(w, halves(5000 + n, 77)); /* cpu, reserved */
	put(w, 6000 + n);	      /* period */
	put(w, 7000 + n);	      /* weight */
	put(w, 8000 + n);	      /* data_src */
}

static unsigned read_ring(struct writer *w, unsigned max)
{
	return kernel_ring_read(&w->ring, w->head, w->rec, max);
}

static void maps_items_to_sample_types(void **state)
{
	(void)state;
	assert_int_equal(kernel_ring_sample_type(0), 0);
	assert_int_equal(kernel_ring_sample_type(BIT(ITEM_PC)), PERF_SAMPLE_IP);
	assert_int_equal(kernel_ring_sample_type(BIT(ITEM_TID) | BIT(ITEM_LATENCY)),
			 PERF_SAMPLE_TID | PERF_SAMPLE_WEIGHT);
	assert_int_equal(kernel_ring_sample_type(ALL),
			 PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
				 PERF_SAMPLE_ADDR | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD |
				 PERF_SAMPLE_WEIGHT | PERF_SAMPLE_DATA_SRC);
	assert_int_equal(kernel_ring_record_size(ALL), 72);
	assert_int_equal(kernel_ring_record_size(BIT(ITEM_PC)), 16);
}

static void decodes_all_items(void **state)
{
	static const uint64_t want[] = {1003, 2003, 3003, 4003, 5003, 6003, 7003, 8003};
	struct writer w;

	(void)state;
	start_ring(&w, ALL, 0);
	put_sample(&w, 3);
	assert_int_equal(read_ring(&w, MAX), 1);
	assert_memory_equal(w.rec, want, sizeof want);
	assert_int_equal(w.ring.tail, 72);
	assert_int_equal(read_ring(&w, MAX), 0);
}

/* Items that the event does not have are 0, whatever rec held before. */
static void clears_missing_items(void **state)
{
	static const uint64_t want[ENGINE_NITEMS] = {[ITEM_PC] = 11, [ITEM_CPU] = 3};
	struct writer w;

	(void)state;
	start_ring(&w, BIT(ITEM_PC) | BIT(ITEM_CPU), 0);
	put(&w, header(PERF_RECORD_SAMPLE, 24));
	put(&w, 11);
	put(&w, halves(3, 9));
	assert_int_equal(read_ring(&w, MAX), 1);
	assert_memory_equal(w.rec, want, sizeof want);
}

/* 256 is no multiple of 72: records wrap around the end of the ring at every offset. */
static void wraps_around(void **state)
{
	struct writer w;

	(void)state;
	start_ring(&w, ALL, UINT64_C(1) << 40);
	for (unsigned i = 0; i < 1000; i++) {
		put_sample(&w, i);
		assert_int_equal(read_ring(&w, MAX), 1);
		assert_int_equal(w.rec[ITEM_PC], 1000 + i);
		assert_int_equal(w.rec[ITEM_DATA_SRC], 8000 + i);
		assert_int_equal(w.ring.tail, w.head);
	}
	assert_int_equal(w.ring.broken, 0);
}

static void reads_no_more_than_requested(void **state)
{
	struct writer w;

	(void)state;
	start_ring(&w, ALL, 0);
	for (unsigned i = 0; i < 3; i++)
		put_sample(&w, i);
	assert_int_equal(read_ring(&w, 0), 0);
	assert_int_equal(read_ring(&w, 2), 2);
	assert_int_equal(w.rec[ENGINE_NITEMS + ITEM_PC], 1001);
	assert_int_equal(read_ring(&w, 2), 1);
	assert_int_equal(w.rec[ITEM_PC], 1002);
	assert_int_equal(read_ring(&w, 2), 0);
}

static void counts_lost_samples(void **state)
{
	struct writer w;

	(void)state;
	start_ring(&w, BIT(ITEM_PC), 0);
	put(&w, header(PERF_RECORD_LOST, 24));
	put(&w, 5); /* id */
	put(&w, 40);
	put(&w, header(PERF_RECORD_LOST_SAMPLES, 16));
	put(&w, 2);
	put(&w, header(PERF_RECORD_THROTTLE, 32));
	put(&w, 1), put(&w, 2), put(&w, 3);
	put(&w, header(PERF_RECORD_UNTHROTTLE, 32));
	put(&w, 1), put(&w, 2), put(&w, 3);
	put(&w, header(4711, 8));
	put(&w, header(PERF_RECORD_SAMPLE, 16));
	put(&w, 17);
	assert_int_equal(read_ring(&w, MAX), 1);
	assert_int_equal(w.rec[ITEM_PC], 17);
	assert_int_equal(w.ring.lost, 42);
	assert_int_equal(w.ring.throttled, 1);
	assert_int_equal(w.ring.broken, 0);
}

/* Records of newer kernels may have more words at their end. */
static void reads_longer_records(void **state)
{
	struct writer w;

	(void)state;
	start_ring(&w, BIT(ITEM_PC), 0);
	put(&w, header(PERF_RECORD_SAMPLE, 160));
	put(&w, 21);
	for (unsigned i = 0; i < 18; i++)
		put(&w, 0);
	put(&w, header(PERF_RECORD_SAMPLE, 16));
	put(&w, 22);
	assert_int_equal(read_ring(&w, MAX), 2);
	assert_int_equal(w.rec[ITEM_PC], 21);
	assert_int_equal(w.rec[ENGINE_NITEMS + ITEM_PC], 22);
}

/* Malformed bytes neither cause reads outside the ring nor an endless loop. */
static void skips_malformed_bytes(void **state)
{
	static const struct {
		int line;
		uint16_t size;
		uint64_t head; /* 0: the end of the bytes that were written */
		unsigned broken;
	} cases[] = {
		{__LINE__, 0, 0, 1},	{__LINE__, 4, 0, 1},
		{__LINE__, 12, 0, 1},	{__LINE__, 8, 0, 1}, /* a sample without its pc */
		{__LINE__, 24, 0, 1},	{__LINE__, 65528, 0, 1},
		{__LINE__, 16, 0, 0},	{__LINE__, 16, 4, 1},
		{__LINE__, 16, 257, 1}, {__LINE__, 16, UINT64_MAX, 1},
	};
	struct writer w;

	(void)state;
	for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		start_ring(&w, BIT(ITEM_PC), 0);
		put(&w, header(PERF_RECORD_SAMPLE, cases[i].size));
		if (cases[i].size != 8)
			put(&w, 1);
		if (cases[i].head)
			w.head = cases[i].head;
		const unsigned n = read_ring(&w, MAX);
		if (w.ring.broken != cases[i].broken || n != !cases[i].broken ||
		    w.ring.tail != w.head)
			fail_msg("line %d: %u records, %llu broken", cases[i].line, n,
				 (unsigned long long)w.ring.broken);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(maps_items_to_sample_types),
		cmocka_unit_test(decodes_all_items),
		cmocka_unit_test(clears_missing_items),
		cmocka_unit_test(wraps_around),
		cmocka_unit_test(reads_no_more_than_requested),
		cmocka_unit_test(counts_lost_samples),
		cmocka_unit_test(reads_longer_records),
		cmocka_unit_test(skips_malformed_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
