/* The images of a records file, also of one that a program has damaged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "engine/sim/image.h"
#include "engine/sim/record.h"
#include "sim_counters.h"

enum { CODE = 0x401000 };

/* A records file, and the entries of its first chunk. */
struct file {
	struct sim_image_file f;
	uint64_t at; /* bytes of the entries */
};

static void put(const struct file *t, const void *from, size_t size, uint64_t at)
{
	assert_int_equal(pwrite(t->f.fd, from, size, (off_t)at), size);
}

static void put_chunk(const struct file *t, uint64_t unit, struct records_chunk c)
{
	c.magic = CHUNK_MAGIC;
	put(t, &c, sizeof c, records_offset(unit));
}

static void put_units(const struct file *t, uint32_t images, uint32_t units)
{
	const uint32_t n[2] = {images, units};

	put(t, n, sizeof n, offsetof(struct records_head, nimages));
}

static void put_entry(struct file *t, uint32_t kind, const void *id, uint32_t bytes,
		      const uint64_t *count, uint32_t n)
{
	const struct records_entry e = {
		.kind = kind, .size = (uint32_t)sizeof e + bytes + 8 * n, .id = bytes};
	const uint64_t to = records_offset(0) + RECORDS_CHUNK + t->at;

	put(t, &e, sizeof e, to);
	put(t, id, bytes, to + sizeof e);
	put(t, count, 8 * n, to + sizeof e + bytes);
	t->at += e.size;
}

static void put_image(struct file *t)
{
	struct {
		struct records_image image;
		char text[16];
	} id = {{.pid = 7, .argv = 7}, "/bin/a\0/bin/a"};

	put_entry(t, ENTRY_IMAGE, &id, sizeof id, NULL, 0);
}

/* The events are ire, bre and taken branches; a ring has room for two records. */
static void make(struct file *t)
{
	struct records_head head = {.room = 2};
	struct why why;

	assert_int_equal(sim_record_add(&head, "ire", 1, &why), 0);
	assert_int_equal(sim_record_add(&head, "BRE", 1, &why), 0);
	assert_int_equal(sim_record_add(&head, "br_cond_tk", 0, &why), 0);
	*t = (struct file){.f.fd = -1};
	assert_int_equal(sim_image_make(&t->f, &head), 0);
}

static void finish(struct file *t, uint32_t units)
{
	put_units(t, 1, units);
	put_chunk(t, 0,
		  (struct records_chunk){.kind = CHUNK_CELLS, .units = 1, .used = t->at});
}

static void test_counts(void **state)
{
	static const struct sim_image_count expected[] = {
		{CODE, 49, 0}, {CODE + 4, 28, 0}, {CODE + 4, 28, 1}, {CODE + 4, 16, 2}};
	const uint64_t run[] = {0, 0, 0, 0, RECORDS_ITEM(CODE, 0, 3)};
	const struct {
		struct records_branch branch;
		uint64_t item[2];
	} end = {{.pc = CODE + 4, .to = {CODE, CODE + 6}},
		 {RECORDS_ITEM(CODE, 0, 1), RECORDS_ITEM(CODE + 4, 0, 1)}};
	const uint64_t outcomes[8] = {0, 1, 2, 3, 4, 5, 6, 7};
	const uint64_t pc = CODE, site[3] = {0}, executed = 7;
	struct sim_image image;
	struct file t;
	int incomplete;

	(void)state;
	make(&t);
	put_image(&t);
	put_entry(&t, ENTRY_RUN, run, sizeof run, &executed, 1);
	put_entry(&t, ENTRY_RUN, &end, sizeof end, outcomes, 8);
	put_entry(&t, ENTRY_SITE, &pc, sizeof pc, site, 3);
	put_entry(&t, 99, &pc, sizeof pc, site, 3);
	finish(&t, 1);
	assert_int_equal(sim_image_find(&t.f, &incomplete), 1);
	assert_int_equal(incomplete, 0);
	assert_int_equal(sim_image_read(&t.f, 0, &image), 0);
	assert_int_equal(image.pid, 7);
	assert_string_equal(image.program, "/bin/a");
	assert_int_equal(image.argv_size, 7);
	assert_int_equal(image.ncount, 4);
	for (size_t i = 0; i < image.ncount; i++) {
		assert_int_equal(image.count[i].pc, expected[i].pc);
		assert_int_equal(image.count[i].count, expected[i].count);
		assert_int_equal(image.count[i].event, expected[i].event);
	}
	sim_image_free(&image);
	sim_image_close(&t.f);
}

static void test_rings(void **state)
{
	const struct records_record record[2] = {{.pc = 1}, {.pc = 2}};
	struct sim_image image;
	struct file t;
	int incomplete;

	(void)state;
	make(&t);
	put_image(&t);
	finish(&t, 5);
	/* Unit 1 was claimed and not used; the ring in unit 3 has more than its room. */
	put_chunk(&t, 2,
		  (struct records_chunk){.kind = CHUNK_RING,
					 .units = 1,
					 .used = 2,
					 .missed = 9,
					 .tid = 8,
					 .name = "thread"});
	put(&t, record, sizeof record, records_offset(2) + RECORDS_CHUNK);
	put_chunk(&t, 3,
		  (struct records_chunk){.kind = CHUNK_RING, .units = 1, .used = 3});
	assert_int_equal(sim_image_find(&t.f, &incomplete), 1);
	assert_int_equal(sim_image_read(&t.f, 0, &image), 0);
	assert_int_equal(image.nring, 1);
	assert_int_equal(image.ring[0].tid, 8);
	assert_int_equal(image.ring[0].n, 2);
	assert_int_equal(image.ring[0].missed, 9);
	assert_string_equal(image.ring[0].name, "thread");
	assert_int_equal(image.ring[0].record[1].pc, 2);
	sim_image_free(&image);
	assert_int_equal(sim_image_read(&t.f, 1, &image), -1);
	assert_int_equal(errno, ENOENT);
	sim_image_close(&t.f);
}

/* The head claims all units; the units in between were never written. */
static void test_far_units(void **state)
{
	struct sim_image image;
	struct file t;
	int incomplete;

	(void)state;
	make(&t);
	put_image(&t);
	finish(&t, UINT32_MAX);
	put_chunk(&t, 1000,
		  (struct records_chunk){.kind = CHUNK_RING, .units = 1, .tid = 8});
	put_chunk(&t, RECORDS_UNITS - 1,
		  (struct records_chunk){.kind = CHUNK_RING, .units = 1, .tid = 9});
	assert_int_equal(sim_image_find(&t.f, &incomplete), 1);
	assert_int_equal(sim_image_read(&t.f, 0, &image), 0);
	assert_int_equal(image.nring, 2);
	assert_int_equal(image.ring[0].tid, 8);
	assert_int_equal(image.ring[1].tid, 9);
	sim_image_free(&image);
	sim_image_close(&t.f);
}

/* Entries with sizes that are not possible end a chunk; other mistakes are left out. */
static void test_damage(void **state)
{
	static const struct records_entry bad[] = {
		{.kind = ENTRY_SITE, .size = 0},
		{.kind = ENTRY_SITE, .size = 15},
		{.kind = ENTRY_SITE, .size = 24, .id = 16},
		{.kind = ENTRY_RUN, .size = 24, .id = UINT32_MAX - 7},
		{.kind = ENTRY_RUN, .size = 1 << 20, .id = 8},
		{.kind = ENTRY_RUN, .size = 24, .id = 8},
		{.kind = ENTRY_IMAGE, .size = 24, .id = 8},
		{.kind = ENTRY_MAPPING, .size = 24, .id = 8},
	};
	struct sim_image image;
	struct file t;
	int incomplete;

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		make(&t);
		put_image(&t);
		put(&t, &bad[i], sizeof bad[i], records_offset(0) + RECORDS_CHUNK + t.at);
		t.at += 24;
		finish(&t, UINT32_MAX);
		put_units(&t, 1, 4);
		assert_int_equal(sim_image_find(&t.f, &incomplete), 1);
		assert_int_equal(sim_image_read(&t.f, 0, &image), 0);
		assert_int_equal(image.ncount + image.nmapping, 0);
		sim_image_free(&image);
		sim_image_close(&t.f);
	}
}

static void test_events(void **state)
{
	static const struct {
		int line;
		const char *name;
		uint64_t interval;
		int error;
	} cases[] = {
		{__LINE__, "dme", 1, 0},	   {__LINE__, "Dme", 2, EEXIST},
		{__LINE__, "store", 0, 0},	   {__LINE__, "store", 0, EEXIST},
		{__LINE__, "load", 3, EINVAL},	   {__LINE__, "cycles_est", 0, ENOTSUP},
		{__LINE__, "sched16", 0, ENOTSUP}, {__LINE__, "nosuch", 0, ENOENT},
		{__LINE__, "", 0, ENOENT},
	};
	struct records_head head = {0};
	struct why why;

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		errno = 0;
		const int rc =
			sim_record_add(&head, cases[i].name, cases[i].interval, &why);

		if (rc != (cases[i].error ? -1 : 0) || errno != cases[i].error)
			fail_msg("line %d: %d, errno %d", cases[i].line, rc, errno);
	}
	assert_int_equal(head.nevents, 2);
	assert_string_equal(sim_record_name(&head.event[0]), "dme");
	assert_string_equal(sim_record_name(&head.event[1]), "store");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_counts),	  cmocka_unit_test(test_rings),
		cmocka_unit_test(test_far_units), cmocka_unit_test(test_damage),
		cmocka_unit_test(test_events),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
