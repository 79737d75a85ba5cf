#include <lwp.h>

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* A register that has one field set to ones, and the field. */
#define FIELD(leaf, reg, bits, field)                                    \
	{                                                                \
		__LINE__, offsetof(lwp_cpuid_t, leaf) + 4 * (reg), bits, \
			offsetof(lwp_features_t, field),                 \
			sizeof(((lwp_features_t *)0)->field)             \
	}

enum { EAX, EBX, ECX, EDX };

static const struct {
	int line;
	size_t at;
	uint32_t bits;
	size_t field, size;
} fields[] = {
	FIELD(extended, ECX, 1u << 15, has_lwp),
	FIELD(xsave, EDX, 1u << 30, has_xsave),
	FIELD(area, EAX, UINT32_MAX, area_size),
	FIELD(area, EBX, UINT32_MAX, area_offset),
	FIELD(lwp, EAX, 1, enabled),
	FIELD(lwp, EBX, 0xff00, event_size),
	FIELD(lwp, EBX, 0xff0000, max_events),
	FIELD(lwp, EBX, 0xff000000, event_offset),
	FIELD(lwp, ECX, 0x1f, latency_bits),
	FIELD(lwp, ECX, 0x20, has_data_address),
	FIELD(lwp, ECX, 0x1c0, latency_rounds),
	FIELD(lwp, ECX, 0xfe00, version),
	FIELD(lwp, ECX, 0xff0000, min_buffer),
	FIELD(lwp, ECX, 1u << 28, has_branch_prediction),
	FIELD(lwp, ECX, 1u << 29, has_ip_filtering),
	FIELD(lwp, ECX, 1u << 30, has_cache_levels),
	FIELD(lwp, ECX, 1u << 31, has_cache_latency),
};

/* The member at an offset of the struct, of 1 or 4 bytes. */
static uint32_t member(const void *p, size_t at, size_t size)
{
	uint32_t wide;
	uint8_t narrow;

	if (size == 1) {
		memcpy(&narrow, (const char *)p + at, 1);
		return narrow;
	}
	memcpy(&wide, (const char *)p + at, sizeof(wide));
	return wide;
}

/* Each field has its bits, and no other field changes with them. */
static void each_field(void **state)
{
	(void)state;
	for (size_t k = 0; k < sizeof(fields) / sizeof(*fields); k++) {
		const uint32_t bits = fields[k].bits;
		const uint32_t want = bits / (bits & -bits);
		lwp_cpuid_t c = {0}, again;
		lwp_features_t f;

		memcpy((char *)&c + fields[k].at, &bits, sizeof(bits));
		lwp_features_decode(&f, &c);
		if (member(&f, fields[k].field, fields[k].size) != want)
			fail_msg("line %d", fields[k].line);
		lwp_features_encode(&again, &f);
		/* Bit 0 of EDX repeats that of 8000_0001. */
		again.lwp[EDX] &= ~1u;
		assert_memory_equal(&again, &c, sizeof(c));
		for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++)
			if (i != k && member(&f, fields[i].field, fields[i].size) != 0)
				fail_msg("line %d: the bits of line %d", fields[i].line,
					 fields[k].line);
	}
}

/* A number that is too large does not change the bits of another field. */
static void too_large(void **state)
{
	const lwp_cpuid_t zeros = {0};

	(void)state;
	for (size_t k = 0; k < sizeof(fields) / sizeof(*fields); k++) {
		const uint32_t bits = fields[k].bits;
		const uint32_t next = bits / (bits & -bits) + 1;
		lwp_features_t f = {0};
		lwp_cpuid_t c;

		memcpy((char *)&f + fields[k].field, &next, fields[k].size);
		lwp_features_encode(&c, &f);
		if (memcmp(&c, &zeros, sizeof(c)) != 0)
			fail_msg("line %d", fields[k].line);
	}
}

/* The registers of a processor, as a table of CPUID values could have them. */
static void whole(void **state)
{
	const lwp_cpuid_t c = {
		.lwp = {0x8000001f, 0x80062016, 0xf001032a, 0xe000007f},
		.extended = {[ECX] = 1 << 15},
		.xsave = {[EDX] = 1 << 30},
		.area = {0x80, 0x340},
	};
	lwp_cpuid_t again;
	lwp_features_t f;

	(void)state;
	lwp_features_decode(&f, &c);
	assert_int_equal(f.available, 0x8000001e);
	assert_int_equal(f.supported, 0xe000007e);
	assert_int_equal(f.block_size, 176);
	assert_int_equal(f.event_size, 32);
	assert_int_equal(f.max_events, 6);
	assert_int_equal(f.event_offset, 128);
	assert_int_equal(f.latency_bits, 10);
	assert_int_equal(f.latency_rounds, 4);
	assert_int_equal(f.version, 1);
	assert_int_equal(f.min_buffer, 1);
	assert_int_equal(f.area_size, LWP_STATE_SIZE);
	assert_int_equal(f.area_offset, LWP_STATE_OFFSET);
	lwp_features_encode(&again, &f);
	assert_memory_equal(&again, &c, sizeof(c));
}

static void version1(void **state)
{
	lwp_features_t f;

	(void)state;
	lwp_features_version1(&f);
	assert_int_equal(f.event_size, 32);
	assert_int_equal(f.event_offset, 128);
	assert_int_equal(f.max_events, 6);
	assert_int_equal(f.block_size, 176);
	assert_int_equal(f.available, 0x8000007e);
	assert_int_equal(f.supported, 0x8000007e);
	assert_int_equal(f.version, 1);
	assert_int_equal(f.has_lwp + f.has_xsave + f.enabled, 3);
	assert_int_equal(f.has_data_address + f.has_branch_prediction +
				 f.has_ip_filtering + f.has_cache_levels +
				 f.has_cache_latency,
			 5);
}

static void block_size(void **state)
{
	const lwp_cpuid_t c = {.lwp = {[EBX] = 0xff}};
	lwp_cpuid_t again;
	lwp_features_t f;

	(void)state;
	lwp_features_decode(&f, &c);
	assert_int_equal(f.block_size, 2040);
	lwp_features_encode(&again, &f);
	assert_memory_equal(&again, &c, sizeof(c));
}

static void latency_limits(void **state)
{
	static const struct {
		int line;
		uint8_t bits, rounds;
		uint32_t want;
	} cases[] = {
		{__LINE__, 10, 4, 1008}, /* the example of the specification */
		{__LINE__, 10, 0, 1023},       {__LINE__, 31, 0, 0x7fffffff},
		{__LINE__, 0, 0, 0},	       {__LINE__, 3, 7, 0},
		{__LINE__, 31, 7, 0x7fffff80},
	};

	(void)state;
	for (size_t k = 0; k < sizeof(cases) / sizeof(*cases); k++) {
		const lwp_features_t f = {.latency_bits = cases[k].bits,
					  .latency_rounds = cases[k].rounds};

		if (lwp_latency_limit(&f) != cases[k].want)
			fail_msg("line %d: %u", cases[k].line, lwp_latency_limit(&f));
	}
}

static void config(void **state)
{
	/* The value that a driver of Linux wrote, with a core and a vector. */
	const uint64_t msr = UINT64_C(0xff03e000000e);
	lwp_config_t c;

	(void)state;
	lwp_config_decode(&c, msr | UINT64_C(0xabcd) << 48);
	assert_int_equal(c.available, 0xe000000e);
	assert_int_equal(c.core, 3);
	assert_int_equal(c.vector, 0xff);
	assert_true(lwp_config_encode(&c) == msr);
}

static void this_processor(void **state)
{
	lwp_cpuid_t c;

	(void)state;
	memset(&c, 0xaa, sizeof(c));
	errno = 0;
#if defined(__x86_64__) || defined(__i386__)
	assert_int_equal(lwp_cpuid_read(&c), 0);
	/* Each processor that has CPUID 8000_0001 has LAHF or LM: EDX is not 0. */
	assert_int_not_equal(c.extended[EDX], 0);
#else
	assert_int_equal(lwp_cpuid_read(&c), -1);
	assert_int_equal(errno, ENOTSUP);
	assert_int_equal(c.lwp[0], 0);
#endif
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_field), cmocka_unit_test(too_large),
		cmocka_unit_test(block_size), cmocka_unit_test(whole),
		cmocka_unit_test(version1),   cmocka_unit_test(latency_limits),
		cmocka_unit_test(config),     cmocka_unit_test(this_processor),
	};

	return cmocka_run_group_tests_name("lwp features", tests, NULL, NULL);
}
