#include <lwp.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Bytes of records, which an emulator of the instructions or the specification gives. */
static const struct {
	uint8_t bytes[LWP_EVENT_SIZE];
	lwp_record_t r;
} records[] = {
	{{255, 3, 0x34, 0x12, 0x78, 0x56, 0x34, 0x12, 0x10, 0x20, 0x40, 0,
	  0,   0, 0,	0,    0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11},
	 {.id = LWP_EVENT_INS,
	  .core = 3,
	  .flags = 0x1234,
	  .data1 = 0x12345678,
	  .ip = 0x402010,
	  .data2 = UINT64_C(0x1122334455667788)}},
	/* bits 31, 30 and 29 of the first word: taken, predicted right, valid */
	{{3, 0, 0, 0xe0, 0, 0, 0, 0, 0, 0x10, 0x40, 0, 0, 0, 0, 0, 0x20, 0x10, 0x40},
	 {.id = LWP_EVENT_BRE,
	  .flags = LWP_BRE_TKN | LWP_BRE_PRD | LWP_BRE_PRV,
	  .ip = 0x401000,
	  .data2 = 0x401020}},
	/* DRAM is 3 in bits 31 to 29, bit 28 says that the address is valid */
	{{4, 1,	   0,	 0x70, 0xf0, 3,	   0, 0, 0, 0x10, 0x40, 0, 0, 0, 0, 0,
	  0, 0xf0, 0xff, 0xff, 0xff, 0x7f, 0, 0, 1, 2,	  3,	4, 5, 6, 7, 8},
	 {.id = LWP_EVENT_DME,
	  .core = 1,
	  .flags = LWP_DME_DAV | LWP_SRC_DRAM << 13,
	  .data1 = 1008,
	  .ip = 0x401000,
	  .data2 = UINT64_C(0x7ffffffff000),
	  .timestamp = UINT64_C(0x0807060504030201)}},
};

static void both_ways(void **state)
{
	(void)state;
	for (size_t k = 0; k < sizeof(records) / sizeof(*records); k++) {
		/* Records may be anywhere. */
		uint8_t at[1 + LWP_EVENT_SIZE];
		lwp_record_t r;

		memcpy(at + 1, records[k].bytes, LWP_EVENT_SIZE);
		lwp_record_decode(&r, at + 1);
		assert_int_equal(r.id, records[k].r.id);
		assert_int_equal(r.core, records[k].r.core);
		assert_int_equal(r.flags, records[k].r.flags);
		assert_int_equal(r.data1, records[k].r.data1);
		assert_true(r.ip == records[k].r.ip);
		assert_true(r.data2 == records[k].r.data2);
		assert_true(r.timestamp == records[k].r.timestamp);
		memset(at, 0xaa, sizeof(at));
		lwp_record_encode(at + 1, &r);
		assert_memory_equal(at + 1, records[k].bytes, LWP_EVENT_SIZE);
	}
	assert_int_equal(LWP_DME_SRC(records[2].r.flags), LWP_SRC_DRAM);
}

static void event_names(void **state)
{
	static const struct {
		unsigned id;
		const char *name;
	} cases[] = {{0, NULL},	  {1, "val"},	{2, "ire"}, {3, "bre"},
		     {4, "dme"},  {5, "cnh"},	{6, "rnh"}, {7, NULL},
		     {254, NULL}, {255, "ins"}, {256, NULL}};

	(void)state;
	for (size_t k = 0; k < sizeof(cases) / sizeof(*cases); k++) {
		const char *name = lwp_event_name(cases[k].id);

		if (!cases[k].name) {
			assert_null(name);
			continue;
		}
		assert_string_equal(name, cases[k].name);
		assert_int_equal(lwp_event_find(name), cases[k].id);
	}
	assert_int_equal(lwp_event_find("DME"), LWP_EVENT_DME);
	assert_int_equal(lwp_event_find("dmes"), -1);
	assert_int_equal(lwp_event_find(""), -1);
}

static void source_names(void **state)
{
	static const char *const names[] = {"none", "l3", "remote", "dram",
					    NULL,   NULL, NULL,	    "other"};

	(void)state;
	for (unsigned k = 0; k < 8; k++) {
		if (!names[k]) {
			assert_null(lwp_source_name(k));
			continue;
		}
		assert_string_equal(lwp_source_name(k), names[k]);
		assert_int_equal(lwp_source_find(names[k]), k);
	}
	assert_null(lwp_source_name(8));
	assert_int_equal(lwp_source_find("L3"), LWP_SRC_L3);
	assert_int_equal(lwp_source_find("l4"), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_ways),
		cmocka_unit_test(event_names),
		cmocka_unit_test(source_names),
	};

	return cmocka_run_group_tests_name("lwp record", tests, NULL, NULL);
}
