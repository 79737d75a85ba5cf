/* suite/simulated: an image of a simulated run as a recording. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include <lwp.h>
#include "base/bytes.h"
#include "suite/simulated/image.h"

static struct records_head head(void)
{
	struct records_head h = {.room = 3};
	struct why why;

	assert_int_equal(sim_record_add(&h, "bre", 5, &why), 0);
	assert_int_equal(sim_record_add(&h, "dme", 1, &why), 0);
	assert_int_equal(sim_record_add(&h, "store", 0, &why), 0);
	return h;
}

/* Each record of the model, and the LWP record that it becomes. */
static const struct {
	int line;
	struct records_record from;
	lwp_record_t to;
} cases[] = {
	{__LINE__,
	 {.kind = RECORDS_INSN, .pc = 1, .cpu = 3, .insns = 9},
	 {.id = LWP_EVENT_IRE, .core = 3, .ip = 1, .timestamp = 9}},
	{__LINE__,
	 {.kind = RECORDS_BRANCH, .pc = 1, .data = 2, .flags = RECORD_TAKEN},
	 {.id = LWP_EVENT_BRE, .ip = 1, .data2 = 2, .flags = LWP_BRE_TKN}},
	{__LINE__,
	 {.kind = RECORDS_BRANCH, .flags = RECORD_PREDICTED | RECORD_RIGHT},
	 {.id = LWP_EVENT_BRE, .flags = LWP_BRE_PRV | LWP_BRE_PRD}},
	{__LINE__,
	 {.kind = RECORDS_MISS, .pc = 1, .data = 2, .latency = 9},
	 {.id = LWP_EVENT_DME, .ip = 1, .data1 = 9, .data2 = 2, .flags = 0x1000}},
	{__LINE__,
	 {.kind = RECORDS_MISS, .flags = RECORD_L3},
	 {.id = LWP_EVENT_DME, .flags = 0x3000}},
	{__LINE__,
	 {.kind = RECORDS_MISS, .flags = RECORD_REMOTE},
	 {.id = LWP_EVENT_DME, .flags = 0x5000}},
	{__LINE__,
	 {.kind = RECORDS_MISS, .flags = RECORD_MEMORY},
	 {.id = LWP_EVENT_DME, .flags = 0x7000}},
};

static void test_records(void **state)
{
	const struct records_head h = head();
	struct recording r;

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct records_record from = cases[i].from;
		struct sim_image_ring ring = {8, "t", 1, 0, &from};
		const struct sim_image image = {
			.program = "/p", .nring = 1, .ring = &ring};
		lwp_record_t got;

		assert_int_equal(simulated_recording(&r, &image, &h, "simulated x"), 0);
		assert_int_equal(r.ring[0].size, LWP_EVENT_SIZE);
		lwp_record_decode(&got, r.ring[0].bytes);
		if (memcmp(&got, &cases[i].to, sizeof got))
			fail_msg("line %d: id %d, flags %#x", cases[i].line, got.id,
				 got.flags);
		simulated_free(&r);
	}
}

static void test_block(void **state)
{
	const struct records_head h = head();
	struct records_record record[2] = {{.kind = RECORDS_MISS},
					   {.kind = RECORDS_MISS}};
	struct sim_image_ring ring = {8, "t", 2, 4, record};
	struct sim_image_count count[] = {{1, 10, 1}, {2, 20, 1}, {1, 5, 2}};
	const struct sim_image image = {.program = "/p",
					.argv = "/p\0a",
					.argv_size = 5,
					.ncount = 3,
					.count = count,
					.nring = 1,
					.ring = &ring};
	struct recording r;

	(void)state;
	assert_int_equal(simulated_recording(&r, &image, &h, "simulated x"), 0);
	const uint8_t *const block = r.ring[0].block;
	assert_int_equal(bytes_get32(block), LWP_FLAG(LWP_EVENT_BRE) |
						     LWP_FLAG(LWP_EVENT_DME) |
						     LWP_FLAG_PTSC);
	assert_int_equal(bytes_get32(block + 4), 4 * LWP_EVENT_SIZE);
	assert_int_equal(bytes_get32(block + 16), 2 * LWP_EVENT_SIZE);
	assert_int_equal(bytes_get64(block + 24), 4);
	/* every 5th: the interval is 4 */
	assert_int_equal(bytes_get32(block + LWP_EVENT_OFFSET + 8 * 2), 4);
	assert_int_equal(bytes_get32(block + LWP_EVENT_OFFSET + 8 * 3), 0);
	assert_int_equal(r.event[0].events, 0);
	assert_int_equal(r.event[1].events, 30);
	assert_int_equal(r.event[1].id, LWP_EVENT_DME);
	assert_int_equal(r.event[2].events, 5);
	assert_int_equal(r.event[2].id, 0);
	assert_string_equal(r.event[2].source, "simulated x");
	assert_string_equal(r.command, "/p a");
	assert_int_equal(simulated_missed(&image), 4);
	simulated_free(&r);
}

/* What is mapped later replaces what it overlaps. */
static void test_mappings(void **state)
{
	static const struct {
		uint64_t start, end, offset;
		const char *path;
		int head;
	} expected[] = {{0x1000, 0x2000, 0, "a", 1},
			{0x2000, 0x3000, 0, "b", 1},
			{0x3000, 0x4000, 0x2000, "a", 0},
			{0x4000, 0x5000, 0x7000, "c", 0},
			{0x9000, 0xa000, 0, "e", 0}};
	const uint8_t elf[4] = {0x7f, 'E', 'L', 'F'};
	struct sim_image_mapping m[] = {{0x1000, 0x5000, 0, "a", elf, 4},
					{0x9000, 0xa000, 0, "d", NULL, 0},
					{0x2000, 0x3000, 0, "b", elf, 4},
					{0x4000, 0x5000, 0x7000, "c", NULL, 0},
					{0x9000, 0xa000, 0, "e", NULL, 0}};
	const struct sim_image image = {.program = "/p", .nmapping = 5, .mapping = m};
	const struct records_head h = head();
	struct recording r;

	(void)state;
	assert_int_equal(simulated_recording(&r, &image, &h, "x"), 0);
	assert_int_equal(r.nmapping, 5);
	for (size_t i = 0; i < r.nmapping; i++) {
		assert_int_equal(r.mapping[i].start, expected[i].start);
		assert_int_equal(r.mapping[i].end, expected[i].end);
		assert_int_equal(r.mapping[i].offset, expected[i].offset);
		assert_string_equal(r.mapping[i].path, expected[i].path);
		assert_int_equal(r.mapping[i].head != NULL, expected[i].head);
	}
	simulated_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_records),
		cmocka_unit_test(test_block),
		cmocka_unit_test(test_mappings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
