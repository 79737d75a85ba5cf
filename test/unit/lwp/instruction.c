/* LWP instructions: vectors of assemblers in test/data, and addresses of operands. */
#include <lwp.h>

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Reads numbers of two digits. Returns how many bytes there are. */
static size_t read_bytes(uint8_t *to, size_t max, const char *text)
{
	size_t n = 0;

	for (char *end; n < max; text = end) {
		const unsigned long v = strtoul(text, &end, 16);

		if (end == text)
			break;
		to[n++] = (uint8_t)v;
	}
	return n;
}

/* Calls check with the fields of each line of a file, and returns the number of lines. */
static unsigned each_line(const char *path,
			  void (*check)(const char *one, const char *two,
					const char *three))
{
	FILE *f = fopen(path, "r");
	char line[256];
	unsigned n = 0;

	assert_non_null(f);
	while (fgets(line, sizeof(line), f)) {
		if (*line == '#')
			continue;
		line[strcspn(line, "\n")] = '\0';
		char *rest = line;
		const char *one = strsep(&rest, "\t"), *two = strsep(&rest, "\t");

		check(one, two, rest);
		n++;
	}
	fclose(f);
	return n;
}

/* Returns whether two instructions have the same operands, however they are encoded. */
static int is_same(const lwp_instruction_t *i, const lwp_instruction_t *j)
{
	return i->op == j->op && i->mode == j->mode && i->wide == j->wide &&
	       i->reg == j->reg && i->memory == j->memory && i->rm == j->rm &&
	       i->base == j->base && i->index == j->index && i->scale == j->scale &&
	       i->segment == j->segment && i->address_size == j->address_size &&
	       i->displacement == j->displacement && i->immediate == j->immediate;
}

/* The encoder finds the form of the operand where the caller leaves it open. */
static void check_open_form(lwp_instruction_t i)
{
	uint8_t bytes[LWP_INSTRUCTION_MAX];
	lwp_instruction_t j;

	i.sib = i.displacement_bytes = 0;
	if (i.index == LWP_REG_NONE)
		i.scale = 0;
	const int n = lwp_instruction_encode(bytes, &i);

	assert_in_range(n, 5, i.length);
	assert_int_equal(lwp_instruction_decode(&j, bytes, (size_t)n, i.mode), n);
	assert_true(is_same(&i, &j));
}

static void check_vector(const char *mode, const char *hex, const char *want)
{
	uint8_t bytes[32], again[LWP_INSTRUCTION_MAX];
	const size_t n = read_bytes(bytes, sizeof(bytes), hex);
	lwp_instruction_t i;
	char text[64], cut[8];

	if (lwp_instruction_decode(&i, bytes, sizeof(bytes), (unsigned)atoi(mode)) !=
	    (int)n)
		fail_msg("%s: the length is not %zu", hex, n);
	assert_int_equal(lwp_instruction_text(text, sizeof(text), &i), strlen(want));
	assert_string_equal(text, want);
	if (lwp_instruction_encode(again, &i) != (int)n || memcmp(again, bytes, n) != 0)
		fail_msg("%s: the encoder gives other bytes", hex);
	check_open_form(i);
	for (size_t k = 0; k < n; k++) {
		errno = 0;
		if (lwp_instruction_decode(&i, bytes, k, (unsigned)atoi(mode)) != -1 ||
		    errno != ENODATA)
			fail_msg("%s: errno is %d with %zu bytes", hex, errno, k);
	}
	lwp_instruction_decode(&i, bytes, n, (unsigned)atoi(mode));
	assert_int_equal(lwp_instruction_text(cut, sizeof(cut), &i), strlen(want));
	assert_int_equal(strlen(cut), sizeof(cut) - 1);
	assert_memory_equal(cut, want, sizeof(cut) - 1);
}

static void vectors(void **state)
{
	(void)state;
	assert_int_equal(each_line("test/data/lwp_instructions.tsv", check_vector), 526);
}

static void check_invalid(const char *reason, const char *hex, const char *none)
{
	uint8_t bytes[32] = {0};
	lwp_instruction_t i;

	(void)none;
	assert_in_range(read_bytes(bytes, sizeof(bytes), hex), 5, 15);
	errno = 0;
	if (lwp_instruction_decode(&i, bytes, sizeof(bytes), 64) != -1 || errno != EINVAL)
		fail_msg("%s: %s is decoded", reason, hex);
}

static void invalid(void **state)
{
	(void)state;
	assert_int_equal(each_line("test/data/lwp_invalid.tsv", check_invalid), 21);
}

/* More texts, as objdump 2.40 prints them, and what becomes of the bytes. */
static const struct {
	int line;
	unsigned mode;
	const char *hex, *want;
} texts[] = {
	/* 32-bit mode ignores W, R, X, B and the highest bit of vvvv. */
	{__LINE__, 32, "8f 0a a8 12 c1 04 03 02 01", "lwpins $0x1020304,%ecx,%edx"},
	{__LINE__, 32, "8f e9 f8 12 c1", "llwpcb %ecx"},
	{__LINE__, 32, "2e 8f ea 68 12 03 00 00 00 00", "lwpins $0x0,%cs:(%ebx),%edx"},
	{__LINE__, 32, "26 8f ea 68 12 03 00 00 00 00", "lwpins $0x0,%es:(%ebx),%edx"},
	{__LINE__, 32, "36 8f ea 68 12 03 00 00 00 00", "lwpins $0x0,%ss:(%ebx),%edx"},
	{__LINE__, 32, "3e 8f ea 68 12 05 00 00 00 00 00 00 00 00",
	 "lwpins $0x0,%ds:0x0,%edx"},
	/* 64-bit mode ignores CS; the last of FS and GS counts. */
	{__LINE__, 64, "2e 8f ea 68 12 03 00 00 00 00", "lwpins $0x0,(%rbx),%edx"},
	{__LINE__, 64, "64 65 8f ea 68 12 03 00 00 00 00", "lwpins $0x0,%gs:(%rbx),%edx"},
	/* addresses without a register */
	{__LINE__, 64, "8f ea 68 12 04 25 00 00 00 80 00 00 00 00",
	 "lwpins $0x0,0xffffffff80000000,%edx"},
	{__LINE__, 32, "67 8f ea 68 12 06 00 80 00 00 00 00", "lwpins $0x0,-0x8000,%edx"},
	{__LINE__, 64, "8f ea 68 12 04 65 00 00 00 80 00 00 00 00",
	 "lwpins $0x0,-0x80000000(,%riz,2),%edx"},
	{__LINE__, 64, "8f ea 68 12 04 20 00 00 00 00", "lwpins $0x0,(%rax,%riz,1),%edx"},
	{__LINE__, 32, "8f ea 68 12 04 64 00 00 00 00", "lwpins $0x0,(%esp,%eiz,2),%edx"},
};

static void other_texts(void **state)
{
	(void)state;
	for (size_t k = 0; k < sizeof(texts) / sizeof(*texts); k++) {
		uint8_t bytes[32];
		const size_t n = read_bytes(bytes, sizeof(bytes), texts[k].hex);
		lwp_instruction_t i;
		char text[64];

		if (lwp_instruction_decode(&i, bytes, n, texts[k].mode) != (int)n)
			fail_msg("line %d: no instruction", texts[k].line);
		lwp_instruction_text(text, sizeof(text), &i);
		if (strcmp(text, texts[k].want) != 0)
			fail_msg("line %d: %s", texts[k].line, text);
	}
}

/* An instruction has at most 15 bytes, with prefixes. */
static void length_limit(void **state)
{
	uint8_t bytes[32];
	lwp_instruction_t i;

	(void)state;
	memset(bytes, 0x64, sizeof(bytes));
	read_bytes(bytes + 10, 5, "8f e9 78 12 c0");
	assert_int_equal(lwp_instruction_decode(&i, bytes, sizeof(bytes), 64), 15);
	read_bytes(bytes + 11, 5, "8f e9 78 12 c0");
	bytes[10] = 0x64;
	errno = 0;
	assert_int_equal(lwp_instruction_decode(&i, bytes, sizeof(bytes), 64), -1);
	assert_int_equal(errno, EINVAL);
}

/* All forms of an address of 16 bits, with displacements of 0, 1 and 2 bytes. */
static void forms16(void **state)
{
	(void)state;
	for (unsigned modrm = 0; modrm < 0xc0; modrm++) {
		const uint8_t bytes[12] = {0x67, 0x8f,	       0xea, 0x78,
					   0x12, modrm & 0xcf, 0x7f};
		uint8_t again[LWP_INSTRUCTION_MAX];
		lwp_instruction_t i;
		const int n = lwp_instruction_decode(&i, bytes, sizeof(bytes), 32);
		const unsigned mod = modrm >> 6;

		assert_int_equal(n, 10 + (mod == 0 && (modrm & 7) == 6 ? 2 : mod));
		assert_int_equal(lwp_instruction_encode(again, &i), n);
		assert_memory_equal(again, bytes, (size_t)n);
		check_open_form(i);
		i.displacement = 0x8000;
		assert_int_equal(lwp_instruction_encode(again, &i), -1);
		i.displacement = 0;
		i.scale = 1;
		assert_int_equal(lwp_instruction_encode(again, &i), -1);
		i.scale = 0;
		i.sib = 1;
		assert_int_equal(lwp_instruction_encode(again, &i), -1);
		i.sib = 0;
		i.displacement_bytes = 4;
		assert_int_equal(lwp_instruction_encode(again, &i), -1);
		i.displacement_bytes = 0;
		i.base = 0;
		assert_int_equal(lwp_instruction_encode(again, &i), -1);
	}
}

/* Of the eight operations of a map, two are instructions. */
static void operations(void **state)
{
	(void)state;
	for (unsigned map = 9; map <= 10; map++) {
		for (unsigned op = 0; op < 8; op++) {
			const uint8_t bytes[9] = {0x8f, 0xe0 | map, 0x78, 0x12,
						  0xc0 | op << 3};
			lwp_instruction_t i;
			const int n =
				lwp_instruction_decode(&i, bytes, sizeof(bytes), 64);

			assert_int_equal(n, op > 1 ? -1 : map == 9 ? 5 : 9);
		}
	}
}

/* Addresses have all their bits, and no bit more. */
static void address_bits(void **state)
{
	static const struct {
		unsigned mode, n;
		uint8_t bytes[10];
		uint64_t want;
	} cases[] = {
		{64, 9, {0x8f, 0xea, 0x78, 0x12, 0x03}, UINT64_MAX},
		{64, 10, {0x67, 0x8f, 0xea, 0x78, 0x12, 0x03}, UINT32_MAX},
		{32, 9, {0x8f, 0xea, 0x78, 0x12, 0x03}, UINT32_MAX},
		{32, 10, {0x67, 0x8f, 0xea, 0x78, 0x12, 0x04}, UINT16_MAX},
	};
	uint64_t reg[16];

	(void)state;
	memset(reg, 0xff, sizeof(reg));
	for (unsigned k = 0; k < sizeof(cases) / sizeof(*cases); k++) {
		lwp_instruction_t i;

		assert_int_equal(
			lwp_instruction_decode(&i, cases[k].bytes, 10, cases[k].mode),
			cases[k].n);
		assert_true(lwp_instruction_address(&i, reg, 0, 0) == cases[k].want);
	}
}

static void modes(void **state)
{
	uint8_t bytes[16] = {0};
	lwp_instruction_t i;

	(void)state;
	read_bytes(bytes, sizeof(bytes), "8f e9 78 12 c0");
	errno = 0;
	assert_int_equal(lwp_instruction_decode(&i, bytes, sizeof(bytes), 16), -1);
	assert_int_equal(errno, EINVAL);
}

static const struct {
	int line;
	unsigned mode;
	const char *hex;
	uint64_t segment, want;
} addresses[] = {
	/* Register n has the value 0x1000000000 * (n + 1) + 0x100 * n. */
	{__LINE__, 64, "8f ea 78 12 43 10 0 0 0 0", 0, 0x4000000310},
	{__LINE__, 64, "8f ca 78 12 43 f0 0 0 0 0", 0, 0xc000000af0},
	{__LINE__, 64, "8f aa 78 12 04 4b 0 0 0 0", 0, 0x4000000300 + 0x14000001200},
	{__LINE__, 64, "8f ea 78 12 04 24 0 0 0 0", 0, 0x5000000400},
	/* relative to the instruction at 0x400000, after the immediate */
	{__LINE__, 64, "8f ea 78 12 05 10 0 0 0 0 0 0 0", 0, 0x40001d},
	{__LINE__, 64, "67 8f ea 78 12 05 10 0 0 0 0 0 0 0", 0, 0x40001e},
	{__LINE__, 64, "8f ea 78 12 04 25 0 0 0 80 0 0 0 0", 0, 0xffffffff80000000},
	{__LINE__, 64, "67 8f ea 78 12 03 0 0 0 0", 0, 0x300},
	{__LINE__, 64, "64 8f ea 78 12 03 0 0 0 0", 0x7f0000000000, 0x7f4000000300},
	{__LINE__, 32, "8f ea 78 12 43 10 0 0 0 0", 0, 0x310},
	{__LINE__, 32, "65 8f ea 78 12 43 10 0 0 0 0", 0xffffff00, 0x210},
	{__LINE__, 32, "8f ea 78 12 05 78 56 34 12 0 0 0 0", 0, 0x12345678},
	{__LINE__, 32, "67 8f ea 78 12 00 0 0 0 0", 0, 0x900},
	{__LINE__, 32, "67 8f ea 78 12 80 00 f8 0 0 0 0", 0, 0x100},
};

static void operand_addresses(void **state)
{
	uint64_t reg[16];

	(void)state;
	for (unsigned k = 0; k < 16; k++)
		reg[k] = UINT64_C(0x1000000000) * (k + 1) + 0x100 * k;
	for (size_t k = 0; k < sizeof(addresses) / sizeof(*addresses); k++) {
		uint8_t bytes[32];
		const size_t n = read_bytes(bytes, sizeof(bytes), addresses[k].hex);
		lwp_instruction_t i;

		if (lwp_instruction_decode(&i, bytes, n, addresses[k].mode) != (int)n)
			fail_msg("line %d: no instruction", addresses[k].line);
		const uint64_t got =
			lwp_instruction_address(&i, reg, 0x400000, addresses[k].segment);

		if (got != addresses[k].want)
			fail_msg("line %d: %llx", addresses[k].line,
				 (unsigned long long)got);
	}
}

/* Changes of lwpins $1,0(%rbx),%edx that have no encoding. */
static void no_encoding(void **state)
{
	const lwp_instruction_t good = {
		.op = LWP_OP_LWPINS,
		.mode = 64,
		.reg = 2,
		.memory = 1,
		.base = 3,
		.index = LWP_REG_NONE,
		.address_size = 64,
		.immediate = 1,
	};
	lwp_instruction_t bad[20];
	uint8_t bytes[LWP_INSTRUCTION_MAX];
	unsigned n = 0;

	(void)state;
	assert_int_equal(lwp_instruction_encode(bytes, &good), 9);
#define BAD(change) (bad[n] = good, bad[n++] change)
	BAD(.op = 0);
	BAD(.op = 5);
	BAD(.mode = 16);
	BAD(.reg = 16);
	BAD(.wide = 2);
	BAD(.base = 17);
	BAD(.index = 4);
	BAD(.index = 16);
	BAD(.scale = 4);
	BAD(.scale = 1); /* there is no index, and no SIB byte */
	BAD(.segment = 0x2e);
	BAD(.segment = 0x66);
	BAD(.base = LWP_REG_RIP);
	bad[n - 1].sib = 1;
	BAD(.base = LWP_REG_RIP);
	bad[n - 1].index = 0;
	BAD(.address_size = 16);
	BAD(.displacement_bytes = 2);
	BAD(.displacement_bytes = 3);
	BAD(.displacement_bytes = 8);
#undef BAD
	for (unsigned k = 0; k < n; k++) {
		errno = 0;
		if (lwp_instruction_encode(bytes, &bad[k]) != -1 || errno != EINVAL)
			fail_msg("case %u is encoded", k);
	}
}

/* All optional bytes together are one more than an instruction may have. */
static void too_long(void **state)
{
	lwp_instruction_t i = {
		.op = LWP_OP_LWPVAL,
		.mode = 64,
		.memory = 1,
		.base = 4,
		.index = LWP_REG_NONE,
		.segment = 0x64,
		.address_size = 32,
		.displacement = 0x1000,
	};
	uint8_t bytes[LWP_INSTRUCTION_MAX];

	(void)state;
	errno = 0;
	assert_int_equal(lwp_instruction_encode(bytes, &i), -1);
	assert_int_equal(errno, EINVAL);
	i.segment = 0;
	assert_int_equal(lwp_instruction_encode(bytes, &i), 15);
}

/* Any bytes that are decoded are encoded, and then decoded to the same operands. */
static void round_trip(void **state)
{
	static const unsigned char prefixes[] = {0x26, 0x2e, 0x36, 0x3e,
						 0x64, 0x65, 0x67};
	unsigned decoded = 0;

	(void)state;
	srand(15);
	for (unsigned k = 0; k < 300000; k++) {
		uint8_t b[24], again[LWP_INSTRUCTION_MAX];
		const unsigned mode = rand() & 1 ? 64 : 32;
		const unsigned start = (unsigned)rand() % 3;
		lwp_instruction_t i, j;

		for (unsigned at = 0; at < sizeof(b); at++)
			b[at] = (uint8_t)(rand() >> 7);
		for (unsigned at = 0; at < start; at++)
			b[at] = prefixes[(unsigned)rand() % sizeof(prefixes)];
		b[start] = 0x8f;
		b[start + 1] = (b[start + 1] & 0xe0) | (9 + (rand() >> 7 & 1));
		b[start + 2] &= 0xf8;
		b[start + 3] = 0x12;
		b[start + 4] &= 0xcf;
		const int n = lwp_instruction_decode(&i, b, sizeof(b), mode);

		if (n < 0)
			continue;
		decoded++;
		const int m = lwp_instruction_encode(again, &i);

		assert_in_range(m, 5, n);
		assert_int_equal(lwp_instruction_decode(&j, again, (size_t)m, mode), m);
		assert_true(is_same(&i, &j));
		check_open_form(i);
	}
	assert_in_range(decoded, 50000, 300000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(vectors),	cmocka_unit_test(invalid),
		cmocka_unit_test(other_texts),	cmocka_unit_test(length_limit),
		cmocka_unit_test(modes),	cmocka_unit_test(operand_addresses),
		cmocka_unit_test(no_encoding),	cmocka_unit_test(forms16),
		cmocka_unit_test(too_long),	cmocka_unit_test(operations),
		cmocka_unit_test(address_bits), cmocka_unit_test(round_trip),
	};

	return cmocka_run_group_tests_name("lwp instruction", tests, NULL, NULL);
}
