/* LWP records of samples, from bytes as the kernel writes them. */
#include "engine/sample/ring.h"

#include <linux/perf_event.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define LEN(array) (sizeof(array) / sizeof((array)[0]))

enum { SIZE = 4096, PLAIN = 71, STACK, LOAD, IBS_BRANCH, IBS_LOAD };

/* A ring into which a test writes, and what was read from it. */
struct test {
	unsigned char data[SIZE];
	struct sample_ring ring;
	uint64_t head;
	unsigned nrecord, nmapping, nname;
	lwp_record_t record;
	struct sample_mapping mapping;
	char path[64], name[64];
	pid_t tid;
};

static void on_record(void *arg, const lwp_record_t *r)
{
	struct test *t = arg;

	t->record = *r;
	t->nrecord++;
}

static void on_mapping(void *arg, const struct sample_mapping *m)
{
	struct test *t = arg;

	t->mapping = *m;
	snprintf(t->path, sizeof t->path, "%s", m->path ? m->path : "anonymous");
	t->nmapping++;
}

static void on_name(void *arg, pid_t tid, const char *name)
{
	struct test *t = arg;

	t->tid = tid;
	snprintf(t->name, sizeof t->name, "%s", name);
	t->nname++;
}

static void start(struct test *t)
{
	static const struct sample_format format[] = {
		{PLAIN, LWP_EVENT_IRE, SAMPLE_PLAIN},
		{STACK, LWP_EVENT_BRE, SAMPLE_BRANCHES},
		{LOAD, LWP_EVENT_DME, SAMPLE_LOADS},
		{IBS_BRANCH, LWP_EVENT_BRE, SAMPLE_IBS_BRANCH},
		{IBS_LOAD, LWP_EVENT_DME, SAMPLE_IBS_LOAD},
	};

	/* Every record of the test wraps around the end of the ring. */
	*t = (struct test){.head = SIZE - 24};
	t->ring = (struct sample_ring){
		.ring = {.data = t->data, .size = SIZE, .tail = t->head},
		.n = LEN(format),
	};
	memcpy(t->ring.format, format, sizeof format);
}

/* Write a record of n words behind its header. */
static void put(struct test *t, unsigned type, unsigned misc, const uint64_t *word,
		unsigned n)
{
	const struct perf_event_header header = {type, (uint16_t)misc,
						 (uint16_t)(8 + 8 * n)};
	unsigned char bytes[SIZE];

	memcpy(bytes, &header, 8);
	memcpy(bytes + 8, word, 8 * n);
	for (unsigned i = 0; i < 8 + 8 * n; i++)
		t->data[t->head++ % SIZE] = bytes[i];
}

static void read_all(struct test *t)
{
	const struct sample_handler to = {t, on_record, on_mapping, on_name};

	sample_ring_read(&t->ring, t->head, &to);
	assert_int_equal(t->ring.ring.tail, t->head);
}

/* What the first words of each sample are: id, ip, pid and tid, time. */
#define BEGIN(id) (id), 0x401000, UINT64_C(9) << 32 | 8, 5000

#define LOADED(level) (PERF_MEM_OP_LOAD | (uint64_t)(level) << PERF_MEM_LVL_SHIFT)
#define NUMBER(n)     (PERF_MEM_OP_LOAD | (uint64_t)(n) << 33)
#define HIT(level)    LOADED(PERF_MEM_LVL_HIT | (level))

/*
 * Bytes of IBS: their number and the capabilities, and the words ctl (0 here), rip, data,
 * data2, data3, linear address, physical address and target.
 */
#define IBS(capabilities, ...) \
	(UINT64_C(68) | (uint64_t)(capabilities) << 32), 0, __VA_ARGS__

#define TARGETS	     (1 << 5)
#define RETIRED	     (UINT64_C(1) << 37)
#define TAKEN	     (UINT64_C(1) << 35)
#define MISPREDICTED (UINT64_C(1) << 36)
#define NO_RIP	     (UINT64_C(1) << 38)
#define FUSED	     (UINT64_C(1) << 39)
#define MISSED_LOAD  (UINT64_C(1) | 1 << 7)
#define ADDRESS	     (UINT64_C(1) << 17)

static const struct sample {
	int line;
	unsigned n; /* words */
	uint64_t word[20];
	int missed;
	lwp_record_t record; /* id 0: none */
} samples[] = {
	{__LINE__, 5, {BEGIN(PLAIN), 3}, 0, {LWP_EVENT_IRE, 3, 0, 0, 0x401000, 0, 5000}},
	/* the CPU's number has 8 bits in a record */
	{__LINE__,
	 5,
	 {BEGIN(PLAIN), 0x102},
	 0,
	 {LWP_EVENT_IRE, 2, 0, 0, 0x401000, 0, 5000}},
	{__LINE__, 4, {BEGIN(PLAIN)}, 1, {0}},
	{__LINE__, 5, {BEGIN(99), 3}, 1, {0}}, /* of no event */

	/* branches: the newest is first; flags: 1 mispredicted, 2 predicted right */
	{__LINE__,
	 9,
	 {BEGIN(STACK), 3, 1, 0x402000, 0x403000, 2},
	 0,
	 {LWP_EVENT_BRE, 3, LWP_BRE_TKN | LWP_BRE_PRV | LWP_BRE_PRD, 0, 0x402000,
	  0x403000, 5000}},
	{__LINE__,
	 12,
	 {BEGIN(STACK), 3, 2, 0x402000, 0x403000, 1, 0x404000, 0x405000, 2},
	 0,
	 {LWP_EVENT_BRE, 3, LWP_BRE_TKN | LWP_BRE_PRV, 0, 0x402000, 0x403000, 5000}},
	{__LINE__,
	 9,
	 {BEGIN(STACK), 3, 1, 0x402000, 0x403000, 0},
	 0,
	 {LWP_EVENT_BRE, 3, LWP_BRE_TKN, 0, 0x402000, 0x403000, 5000}},
	{__LINE__, 6, {BEGIN(STACK), 3, 0}, 1, {0}},
	{__LINE__, 9, {BEGIN(STACK), 3, 0, 1, 2, 3}, 1, {0}},
	{__LINE__, 8, {BEGIN(STACK), 3, 1, 0x402000, 0x403000}, 1, {0}},

	/* loads: address, CPU, latency, source */
	{__LINE__,
	 8,
	 {BEGIN(LOAD), 0x7000, 3, 210, HIT(PERF_MEM_LVL_LOC_RAM)},
	 0,
	 {LWP_EVENT_DME, 3, LWP_DME_DAV | LWP_SRC_DRAM << 13, 210, 0x401000, 0x7000,
	  5000}},
	{__LINE__,
	 8,
	 {BEGIN(LOAD), 0x7000, 3, 40, HIT(PERF_MEM_LVL_L3)},
	 0,
	 {LWP_EVENT_DME, 3, LWP_DME_DAV | LWP_SRC_L3 << 13, 40, 0x401000, 0x7000, 5000}},
	{__LINE__,
	 8,
	 {BEGIN(LOAD), 0, 3, 14, HIT(PERF_MEM_LVL_L2)},
	 0,
	 {LWP_EVENT_DME, 3, 0, 14, 0x401000, 0, 5000}},
	{__LINE__,
	 8,
	 {BEGIN(LOAD), 0x7000, 3, 14, HIT(PERF_MEM_LVL_LFB)},
	 0,
	 {LWP_EVENT_DME, 3, LWP_DME_DAV, 14, 0x401000, 0x7000, 5000}},
	{__LINE__,
	 8,
	 {BEGIN(LOAD), 0x7000, 3, 90, HIT(PERF_MEM_LVL_REM_CCE1)},
	 0,
	 {LWP_EVENT_DME, 3, LWP_DME_DAV | LWP_SRC_REMOTE << 13, 90, 0x401000, 0x7000,
	  5000}},
	{__LINE__,
	 8,
	 {BEGIN(LOAD), 0x7000, 3, 90, HIT(PERF_MEM_LVL_IO)},
	 0,
	 {LWP_EVENT_DME, 3, (uint16_t)(LWP_DME_DAV | LWP_SRC_OTHER << 13), 90, 0x401000,
	  0x7000, 5000}},
	{__LINE__,
	 8,
	 {BEGIN(LOAD), 0x7000, 3, 200, NUMBER(0xd)},
	 0,
	 {LWP_EVENT_DME, 3, LWP_DME_DAV | LWP_SRC_DRAM << 13, 200, 0x401000, 0x7000,
	  5000}},
	{__LINE__,
	 8,
	 {BEGIN(LOAD), 0x7000, 3, UINT64_C(1) << 40, NUMBER(2)},
	 0,
	 {LWP_EVENT_DME, 3, LWP_DME_DAV, UINT32_MAX, 0x401000, 0x7000, 5000}},
	/* hits, stores, and loads without a source are no misses */
	{__LINE__, 8, {BEGIN(LOAD), 0x7000, 3, 4, HIT(PERF_MEM_LVL_L1)}, 0, {0}},
	{__LINE__, 8, {BEGIN(LOAD), 0x7000, 3, 4, NUMBER(1)}, 0, {0}},
	{__LINE__, 8, {BEGIN(LOAD), 0x7000, 3, 4, PERF_MEM_OP_STORE | 1 << 12}, 0, {0}},
	{__LINE__, 8, {BEGIN(LOAD), 0x7000, 3, 4, LOADED(PERF_MEM_LVL_NA)}, 1, {0}},
	{__LINE__, 7, {BEGIN(LOAD), 0x7000, 3, 4}, 1, {0}},

	/* IBS */
	{__LINE__,
	 14,
	 {BEGIN(IBS_BRANCH), 3,
	  IBS(TARGETS, 0x402000, RETIRED | TAKEN, 0, 0, 0, 0, 0x403000)},
	 0,
	 {LWP_EVENT_BRE, 3, LWP_BRE_TKN | LWP_BRE_PRV | LWP_BRE_PRD, 0, 0x402000,
	  0x403000, 5000}},
	{__LINE__,
	 14,
	 {BEGIN(IBS_BRANCH), 3,
	  IBS(0, 0x402000, RETIRED | MISPREDICTED | FUSED, 0, 0, 0, 0, 0x403000)},
	 0,
	 {LWP_EVENT_BRE, 3, LWP_BRE_PRV | LWP_BRE_FUS, 0, 0x402000, 0, 5000}},
	{__LINE__,
	 14,
	 {BEGIN(IBS_BRANCH), 3, IBS(0, 0x402000, RETIRED | TAKEN, 0, 0, 0, 0, 0x403000)},
	 1,
	 {0}},
	{__LINE__,
	 14,
	 {BEGIN(IBS_BRANCH), 3, IBS(TARGETS, 0x402000, TAKEN, 0, 0, 0, 0, 0x403000)},
	 0,
	 {0}},
	{__LINE__,
	 14,
	 {BEGIN(IBS_BRANCH), 3, IBS(TARGETS, 0, RETIRED | NO_RIP, 0, 0, 0, 0, 0)},
	 1,
	 {0}},
	{__LINE__,
	 14,
	 {BEGIN(IBS_LOAD), 3,
	  IBS(0, 0x402000, 0, 3, MISSED_LOAD | ADDRESS | UINT64_C(333) << 32, 0x7008, 0,
	      0)},
	 0,
	 {LWP_EVENT_DME, 3, LWP_DME_DAV | LWP_SRC_DRAM << 13, 333, 0x402000, 0x7008,
	  5000}},
	{__LINE__,
	 14,
	 {BEGIN(IBS_LOAD), 3, IBS(0, 0x402000, 0, 1 << 6, MISSED_LOAD, 0x7008, 0, 0)},
	 0,
	 {LWP_EVENT_DME, 3, LWP_SRC_DRAM << 13, 0, 0x402000, 0, 5000}},
	{__LINE__,
	 14,
	 {BEGIN(IBS_LOAD), 3, IBS(0, 0x402000, 0, 3, 1 | ADDRESS, 0x7008, 0, 0)},
	 0,
	 {0}},
	{__LINE__,
	 13,
	 {BEGIN(IBS_LOAD), 3, IBS(0, 0x402000, 0, 3, MISSED_LOAD, 0, 0)},
	 1,
	 {0}},
};

static void makes_records_of_samples(void **state)
{
	(void)state;
	for (size_t i = 0; i < LEN(samples); i++) {
		const struct sample *s = &samples[i];
		struct test t;

		start(&t);
		put(&t, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, s->word, s->n);
		read_all(&t);
		if (t.nrecord != (s->record.id != 0) ||
		    t.ring.missed != (uint64_t)s->missed ||
		    memcmp(&t.record, &s->record, sizeof t.record) != 0)
			fail_msg("line %d: %u records, %d missed, flags %#x, ip %#jx, "
				 "data1 %u, data2 %#jx",
				 s->line, t.nrecord, (int)t.ring.missed, t.record.flags,
				 (uintmax_t)t.record.ip, t.record.data1,
				 (uintmax_t)t.record.data2);
	}
}

/*
 * Samples of system mode: another counter has interrupted late; IBS takes samples of all
 * modes.
 */
static void leaves_system_mode_out(void **state)
{
	static const uint64_t plain[] = {BEGIN(PLAIN), 3};
	static const uint64_t ibs[] = {BEGIN(IBS_BRANCH), 3,
				       IBS(TARGETS, 0x402000, RETIRED, 0, 0, 0, 0, 0)};
	struct test t;

	(void)state;
	start(&t);
	put(&t, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL, plain, LEN(plain));
	put(&t, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL, ibs, LEN(ibs));
	read_all(&t);
	assert_int_equal(t.nrecord, 0);
	assert_int_equal(t.ring.missed, 1);
}

static void counts_what_was_lost(void **state)
{
	static const uint64_t lost[] = {5, 40}, pause[] = {1, 2, 3};
	static const uint64_t plain[] = {BEGIN(PLAIN), 3};
	struct test t;

	(void)state;
	start(&t);
	put(&t, PERF_RECORD_LOST, 0, lost, 2);
	put(&t, PERF_RECORD_THROTTLE, 0, pause, 3);
	put(&t, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, plain, LEN(plain));
	put(&t, 4711, 0, lost, 0);
	read_all(&t);
	assert_int_equal(t.nrecord, 1);
	assert_int_equal(t.ring.ring.lost, 40);
	assert_int_equal(t.ring.ring.throttled, 1);
	assert_int_equal(t.ring.ring.broken, 0);
}

/* A text of at most 23 bytes as words. */
struct text {
	uint64_t word[3];
};

static struct text text(const char *s)
{
	struct text t = {{0}};

	memcpy(t.word, s, strlen(s));
	return t;
}

static void put_mapping(struct test *t, uint64_t start, uint64_t size, const char *path)
{
	const struct text p = text(path);
	const uint64_t word[] = {UINT64_C(9) << 32 | 8,
				 start,
				 size,
				 0x3000,
				 UINT64_C(1) << 32 | 254,
				 4711,
				 0,
				 5,
				 p.word[0],
				 p.word[1],
				 p.word[2]};

	put(t, PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER, word, LEN(word));
}

static void put_name(struct test *t, unsigned misc, const char *name)
{
	const struct text p = text(name);
	const uint64_t word[] = {UINT64_C(9) << 32 | 8, p.word[0], p.word[1]};

	put(t, PERF_RECORD_COMM, misc, word, LEN(word));
}

static void reports_mappings_and_names(void **state)
{
	struct test t;

	(void)state;
	start(&t);
	put_mapping(&t, 0x7000, 0x2000, "/lib/x.so");
	put_name(&t, 0, "worker");
	read_all(&t);
	assert_int_equal(t.nmapping, 1);
	assert_int_equal(t.mapping.start, 0x7000);
	assert_int_equal(t.mapping.end, 0x9000);
	assert_int_equal(t.mapping.offset, 0x3000);
	assert_int_equal(t.mapping.major, 254);
	assert_int_equal(t.mapping.minor, 1);
	assert_int_equal(t.mapping.inode, 4711);
	assert_string_equal(t.path, "/lib/x.so");
	assert_int_equal(t.nname, 1);
	assert_int_equal(t.tid, 9);
	assert_string_equal(t.name, "worker");
	put_mapping(&t, 0x7000, 0x2000, "//anon");
	read_all(&t);
	assert_string_equal(t.path, "anonymous");
	assert_int_equal(t.ring.ring.broken, 0);
}

/* What an exec maps is not in the image before the exec. */
static void leaves_the_next_image_out(void **state)
{
	struct test t;

	(void)state;
	start(&t);
	put_mapping(&t, 0x7000, 0x2000, "/old");
	put_name(&t, PERF_RECORD_MISC_COMM_EXEC, "new");
	put_mapping(&t, 0x8000, 0x2000, "/new");
	read_all(&t);
	assert_int_equal(t.nmapping, 1);
	assert_string_equal(t.path, "/old");
	assert_int_equal(t.nname, 0);
}

static void survives_damage(void **state)
{
	static const uint64_t endless[] = {UINT64_C(9) << 32 | 8,
					   UINT64_C(0x4141414141414141)};
	struct test t;

	(void)state;
	start(&t);
	put_mapping(&t, 0x7000, 0, "/empty");
	put_mapping(&t, UINT64_MAX, 2, "/wraps");
	put(&t, PERF_RECORD_COMM, 0, endless, 2);
	put(&t, PERF_RECORD_COMM, 0, endless, 0);
	put(&t, PERF_RECORD_MMAP2, 0, endless, 2);
	read_all(&t);
	assert_int_equal(t.nmapping + t.nname, 0);
	assert_int_equal(t.ring.ring.broken, 5);
}

static void asks_for_what_is_decoded(void **state)
{
	const uint64_t all = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			     PERF_SAMPLE_TIME | PERF_SAMPLE_CPU;

	(void)state;
	assert_int_equal(sample_kind_type(SAMPLE_PLAIN), all);
	assert_int_equal(sample_kind_type(SAMPLE_BRANCHES),
			 all | PERF_SAMPLE_BRANCH_STACK);
	assert_int_equal(sample_kind_type(SAMPLE_LOADS), all | PERF_SAMPLE_ADDR |
								 PERF_SAMPLE_WEIGHT |
								 PERF_SAMPLE_DATA_SRC);
	assert_int_equal(sample_kind_type(SAMPLE_IBS_LOAD), all | PERF_SAMPLE_RAW);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(makes_records_of_samples),
		cmocka_unit_test(leaves_system_mode_out),
		cmocka_unit_test(counts_what_was_lost),
		cmocka_unit_test(reports_mappings_and_names),
		cmocka_unit_test(leaves_the_next_image_out),
		cmocka_unit_test(survives_damage),
		cmocka_unit_test(asks_for_what_is_decoded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
