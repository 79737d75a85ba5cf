#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "sim/model/schedule.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Units: A, B: integers, and shifts only by A; C: loads and stores; D: division. */
enum { A = 1, B = 2, C = 4, D = 8 };

static const struct machine four = {
	.width = 4,
	.timing = {[MOP_ALU] = {1, 1, A | B},
		   [MOP_SHIFT] = {1, 1, A},
		   [MOP_BRANCH] = {1, 1, A},
		   [MOP_LOAD] = {2, 1, C},
		   [MOP_LOADFP] = {3, 1, C},
		   [MOP_STORE] = {1, 1, C},
		   [MOP_VEC] = {1, 1, A | B},
		   [MOP_MUL32] = {6, 6, B},
		   [MOP_MUL64] = {10, 10, B},
		   [MOP_FADD] = {2, 1, D},
		   [MOP_FMUL] = {2, 1, D},
		   [MOP_FMA] = {4, 1, D},
		   [MOP_DIV32] = {34, 35, B},
		   [MOP_DIV64] = {66, 67, B},
		   [MOP_FDIV32] = {12, 14, D},
		   [MOP_FDIV64] = {19, 21, D},
		   [MOP_FSQRT32] = {18, 20, D},
		   [MOP_FSQRT64] = {127, 127, D}},
};

/*
 * Values that an instruction uses: of registers R(n), and of earlier instructions I(n).
 */
#define R(n) .regs = 1u << (n)
#define I(n) .insns = UINT64_C(1) << (n)

/* Instructions: an operation on values, a copy, a load, a load and an operation. */
#define OP(kind, ...)                                     \
	{                                                 \
		.op = MOP_##kind, .data = { __VA_ARGS__ } \
	}
#define MOVE(...)                                       \
	{                                               \
		.op = MOP_NOPS, .data = { __VA_ARGS__ } \
	}
#define LOAD(...)                                                      \
	{                                                              \
		.op = MOP_NOPS, .loads = 1, .address = { __VA_ARGS__ } \
	}
#define LOADFP(...)                                                             \
	{                                                                       \
		.op = MOP_NOPS, .loads = 1, .fp = 1, .address = { __VA_ARGS__ } \
	}
#define PACKED(kind, size, of)                              \
	{                                                   \
		.op = MOP_##kind, .bytes = size, .elem = of \
	}

static const struct {
	int line;
	unsigned cycles; /* in sixteenths */
	unsigned n;
	struct schedule_insn insn[8];
	struct {
		uint8_t reg, insn; /* register reg is written by insn - 1; 0: none */
	} writes[3];
} blocks[] = {
	{__LINE__, 0, 0, {MOVE()}, {{0}}},
	/* The width: five instructions, and one. */
	{__LINE__, 20, 5, {MOVE(), MOVE(), MOVE(), MOVE(), MOVE()}, {{0}}},
	{__LINE__, 4, 1, {MOVE()}, {{0}}},
	/* The units: two for ALU, one for shifts, and both together. */
	{__LINE__, 24, 3, {OP(ALU), OP(ALU), OP(ALU)}, {{0}}},
	{__LINE__, 48, 3, {OP(SHIFT), OP(SHIFT), OP(BRANCH)}, {{0}}},
	{__LINE__, 32, 4, {OP(SHIFT), OP(ALU), OP(ALU), OP(ALU)}, {{0}}},
	{__LINE__, 48, 4, {OP(SHIFT), OP(SHIFT), OP(BRANCH), OP(ALU)}, {{0}}},
	/* A division occupies one of the two, and the other does the rest. */
	{__LINE__, 67 * 16, 3, {OP(DIV64), OP(ALU), OP(SHIFT)}, {{0}}},
	{__LINE__, 102 * 16, 2, {OP(DIV64), OP(DIV32)}, {{0}}},
	/* Loads and stores share a unit. */
	{__LINE__, 48, 2, {LOAD(), {.op = MOP_NOPS, .loads = 1, .stores = 1}}, {{0}}},
	/* Vectors, an element at a time; of a machine without SIMD 8 bytes at a time. */
	{__LINE__, 4 * 14 * 16, 1, {PACKED(FDIV32, 16, 4)}, {{0}}},
	{__LINE__, 2 * 21 * 16, 1, {PACKED(FDIV64, 16, 8)}, {{0}}},
	{__LINE__, 16, 1, {PACKED(VEC, 16, 8)}, {{0}}},

	/* A path from r1 to r1: its latencies, and its length with a copy. */
	{__LINE__, 16, 1, {OP(ALU, R(1))}, {{1, 1}}},
	{__LINE__, 66 * 16 + 16, 2, {OP(DIV64, R(1)), OP(ALU, I(0))}, {{1, 2}}},
	{__LINE__, 32, 3, {MOVE(R(1)), OP(SHIFT, I(0)), OP(ALU, I(1), R(1))}, {{1, 3}}},
	/* The result goes to another register, or the value is not of the register. */
	{__LINE__, 21 * 16, 2, {OP(FDIV64, R(1)), OP(ALU, R(2))}, {{2, 1}, {3, 2}}},
	{__LINE__, 16, 2, {OP(FADD, R(1)), OP(ALU)}, {{1, 2}}},
	{__LINE__, 10 * 16, 2, {OP(MUL64, R(2)), OP(ALU, I(0))}, {{1, 2}}},
	/* Register 31, and the longer of two paths. */
	{__LINE__,
	 48,
	 3,
	 {OP(FADD, R(31)), OP(ALU, R(31)), OP(ALU, .insns = 3)},
	 {{31, 3}}},
	{__LINE__,
	 48,
	 3,
	 {OP(FADD, R(31)), OP(ALU, I(0)), OP(ALU, R(5))},
	 {{31, 2}, {5, 3}}},
	/* A loaded address is the next address: pointers, integer and FP. */
	{__LINE__, 32, 1, {LOAD(R(7))}, {{7, 1}}},
	{__LINE__, 48, 1, {LOADFP(R(7))}, {{7, 1}}},
	/*
	 * add (r1), r2: of the address the path is a load and an addition, of r2 one
	 * addition.
	 */
	{__LINE__,
	 48,
	 1,
	 {{.op = MOP_ALU, .loads = 1, .address = {R(1)}, .data = {R(2)}}},
	 {{1, 1}}},
	{__LINE__,
	 16,
	 1,
	 {{.op = MOP_ALU, .loads = 1, .address = {R(1)}, .data = {R(2)}}},
	 {{2, 1}}},
};

static unsigned time_of(const struct machine *m, size_t i)
{
	struct schedule_block b = {.n = blocks[i].n, .issued = blocks[i].n};
	struct schedule s;

	for (unsigned k = 0; k < blocks[i].n; k++)
		b.insn[k] = blocks[i].insn[k];
	for (unsigned k = 0; k < COUNT(blocks[i].writes); k++)
		if (blocks[i].writes[k].insn)
			b.writer[blocks[i].writes[k].reg] = blocks[i].writes[k].insn;
	schedule_open(&s, m);
	return schedule_cycles(&s, &b);
}

static void times_blocks(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(blocks); i++) {
		const unsigned cycles = time_of(&four, i);

		if (cycles != blocks[i].cycles)
			fail_msg("line %d: %u / 16 cycles, not %u", blocks[i].line,
				 cycles, blocks[i].cycles);
	}
}

/* The longest block and the longest latencies do not overflow. */
static void times_the_longest_block(void **state)
{
	struct schedule_block b = {.n = SCHEDULE_INSNS, .issued = SCHEDULE_INSNS};
	struct schedule s;

	(void)state;
	b.insn[0] = (struct schedule_insn)OP(FSQRT64, R(16));
	for (unsigned i = 1; i < SCHEDULE_INSNS; i++)
		b.insn[i] = (struct schedule_insn)OP(FSQRT64, I(i - 1));
	b.writer[16] = SCHEDULE_INSNS;
	schedule_open(&s, &four);
	assert_int_equal(schedule_cycles(&s, &b), SCHEDULE_INSNS * 127 * 16);
}

/* In order, a path through a block counts up to the start of its last operation. */
static void waits_in_order(void **state)
{
	static const struct {
		int line;
		unsigned cycles, n;
		struct schedule_insn insn[4];
	} rows[] = {
		{__LINE__, 0, 0, {MOVE()}},
		{__LINE__, 1, 1, {LOAD(R(1))}},
		{__LINE__, 3, 3, {OP(ALU, R(1)), OP(ALU, I(0)), OP(ALU, I(1))}},
		{__LINE__, 3, 2, {LOAD(R(1)), OP(ALU, I(0))}},
		{__LINE__, 5, 3, {LOAD(R(1)), LOAD(I(0)), OP(ALU, I(1))}},
		{__LINE__, 2, 3, {LOAD(R(1)), OP(ALU, R(2)), OP(ALU, I(1))}},
		/*
		 * add (r1), r2 begins to add when the value is loaded; then a use of r2
		 */
		{__LINE__,
		 4,
		 2,
		 {{.op = MOP_ALU, .loads = 1, .data = {R(2)}}, OP(ALU, I(0))}},
		/* a copy takes no time */
		{__LINE__, 2, 3, {OP(ALU, R(1)), MOVE(I(0)), OP(ALU, I(1))}},
		/* a store of a value */
		{__LINE__,
		 3,
		 2,
		 {OP(FADD, R(20)), {.op = MOP_NOPS, .stores = 1, .data = {I(0)}}}},
	};
	struct machine m = four;
	struct schedule s;

	(void)state;
	m.in_order = 1;
	schedule_open(&s, &m);
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct schedule_block b = {.n = rows[i].n, .issued = rows[i].n};

		for (unsigned k = 0; k < rows[i].n; k++)
			b.insn[k] = rows[i].insn[k];
		if (schedule_cycles(&s, &b) != rows[i].cycles * 16)
			fail_msg("line %d: %u / 16 cycles, not %u", rows[i].line,
				 schedule_cycles(&s, &b), rows[i].cycles * 16);
	}
}

static void takes_vectors_at_once(void **state)
{
	struct machine m = four;
	struct schedule s;
	struct schedule_block b = {.n = 1, .insn = {PACKED(FDIV32, 32, 4)}};
	static const struct {
		unsigned simd, cycles, passes;
	} rows[] = {{0, 8 * 14, 4},
		    {8, 4 * 14, 4},
		    {16, 2 * 14, 2},
		    {32, 14, 1},
		    {64, 14, 1}};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		m.simd = rows[i].simd;
		schedule_open(&s, &m);
		assert_int_equal(schedule_cycles(&s, &b), rows[i].cycles * 16);
		assert_int_equal(schedule_passes(&s, 32), rows[i].passes);
		assert_int_equal(schedule_passes(&s, 1), 1);
		assert_int_equal(schedule_passes(&s, 0), 0);
	}
}

static void times_single_operations(void **state)
{
	struct machine m = four;
	struct schedule s;

	(void)state;
	m.width = 6;
	schedule_open(&s, &m);
	assert_int_equal(schedule_operation(&s, MOP_ALU), 8);
	assert_int_equal(schedule_operation(&s, MOP_DIV64), 67 * 16);
	/*
	 * Rounded up, so that no more instructions than the width are issued in a
	 * cycle.
	 */
	assert_int_equal(schedule_issue(&s, 1), 3);
	assert_int_equal(schedule_issue(&s, 6), 16);
}

/*
 * Operations on A or B, and others on B or C: two of the first, three of the second and
 * two that only B can do are seven operations of three units.
 */
static void joins_units_that_are_shared(void **state)
{
	struct machine m = four;
	struct schedule s;
	struct schedule_block b = {.n = 7,
				   .insn = {OP(ALU), OP(ALU), OP(VEC), OP(VEC), OP(VEC),
					    OP(BRANCH), OP(BRANCH)}};

	(void)state;
	m.timing[MOP_VEC].units = B | C;
	m.timing[MOP_BRANCH].units = B;
	schedule_open(&s, &m);
	/* 5 of B and C are 2.5 cycles, 4 of A and B 2, all 7 / 3 */
	assert_int_equal(schedule_cycles(&s, &b), 40);
	b.insn[2] = b.insn[0];
	/* 4 of B and C, 5 of A and B, all 7 / 3 */
	assert_int_equal(schedule_cycles(&s, &b), 40);
	b.insn[5] = b.insn[2];
	b.insn[3] = b.insn[4] = (struct schedule_insn)OP(VEC);
	b.insn[6] = b.insn[4];
	/* 3 of B and C, 4 of A and B, all 7: the union is the tightest */
	assert_int_equal(schedule_cycles(&s, &b), 38);
}

/* More sets of units than fit: the widest limits are left out, and nothing else. */
static void bears_many_sets_of_units(void **state)
{
	struct machine m = four;
	struct schedule s;
	struct schedule_block b = {.n = 2, .insn = {OP(DIV64), OP(DIV64)}};

	(void)state;
	for (unsigned op = 0; op < MOP_NOPS; op++)
		m.timing[op].units = 3u << op | 1u << (op * 7 % 26);
	schedule_open(&s, &m);
	assert_true(s.ngroups <= SCHEDULE_GROUPS);
	assert_true(schedule_cycles(&s, &b) > 0);
}

static void takes_no_time_without_units(void **state)
{
	const struct machine none = {.width = 0};
	struct schedule s;
	struct schedule_block b = {.n = 1, .issued = 1, .insn = {OP(DIV64)}};

	(void)state;
	schedule_open(&s, &none);
	assert_int_equal(schedule_cycles(&s, &b), 0);
	assert_int_equal(schedule_operation(&s, MOP_LOAD), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_blocks),
		cmocka_unit_test(times_the_longest_block),
		cmocka_unit_test(waits_in_order),
		cmocka_unit_test(takes_vectors_at_once),
		cmocka_unit_test(times_single_operations),
		cmocka_unit_test(joins_units_that_are_shared),
		cmocka_unit_test(takes_no_time_without_units),
		cmocka_unit_test(bears_many_sets_of_units),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
