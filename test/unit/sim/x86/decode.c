/* Tests x86_decode() on instructions as an assembler encodes them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "sim/x86/decode.h"

enum { LD = X86_LOADS | X86_MEM, ST = X86_STORES | X86_MEM, EA = X86_EA | X86_MEM };

struct example {
	int line;
	const char *text; /* assembler text, for messages */
	unsigned len;
	uint8_t byte[15];
	enum x86_kind kind;
	unsigned flags;
	enum x86_fp fp;
	unsigned fp_ops;
};

#define BYTES(...)                        \
	sizeof((uint8_t[]){__VA_ARGS__}), \
	{                                 \
		__VA_ARGS__               \
	}

static const struct example examples[] = {
	{__LINE__, "mov (%rbx),%rax", BYTES(0x48, 0x8b, 0x03), .flags = LD | EA},
	{__LINE__, "mov %rax,%rbx", BYTES(0x48, 0x89, 0xc3), .flags = 0},
	{__LINE__, "mov %eax,(%rbx)", BYTES(0x89, 0x03), .flags = ST | EA},
	{__LINE__, "addl $1,8(%rsp)", BYTES(0x83, 0x44, 0x24, 0x08, 0x01),
	 .flags = LD | ST | EA},
	{__LINE__, "cmpl $1,8(%rsp)", BYTES(0x83, 0x7c, 0x24, 0x08, 0x01),
	 .flags = LD | EA},
	{__LINE__, "lea 8(%rsp),%rax", BYTES(0x48, 0x8d, 0x44, 0x24, 0x08),
	 .flags = X86_EA | X86_ADDRESS_ONLY},
	{__LINE__, "push %r12", BYTES(0x41, 0x54), .flags = ST},
	{__LINE__, "pop %rbp", BYTES(0x5d), .flags = LD},
	{__LINE__, "push (%rax)", BYTES(0xff, 0x30), .flags = LD | ST | EA},
	{__LINE__, "pop (%rax)", BYTES(0x8f, 0x00), .flags = LD | ST | EA},
	{__LINE__, "leave", BYTES(0xc9), .flags = LD},
	{__LINE__, "movabs 0x1122334455667788,%al",
	 BYTES(0xa0, 0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11), .flags = LD},

	{__LINE__, "je", BYTES(0x74, 0x05), .kind = X86_JCC},
	{__LINE__, "jne", BYTES(0x75, 0x05), .kind = X86_JCC, .flags = X86_NEGATED},
	{__LINE__, "jne near", BYTES(0x0f, 0x85, 0, 1, 0, 0), .kind = X86_JCC,
	 .flags = X86_NEGATED},
	{__LINE__, "notrack/hint je", BYTES(0x3e, 0x74, 0x05), .kind = X86_JCC},
	{__LINE__, "jrcxz", BYTES(0xe3, 0x05), .kind = X86_JCC},
	{__LINE__, "loop", BYTES(0xe2, 0x05), .kind = X86_JCC},
	{__LINE__, "jmp short", BYTES(0xeb, 0x05), .kind = X86_JMP},
	{__LINE__, "jmp near", BYTES(0xe9, 5, 0, 0, 0), .kind = X86_JMP},
	{__LINE__, "jmp *%rax", BYTES(0xff, 0xe0), .kind = X86_JMP_IND},
	{__LINE__, "jmp *(%rax)", BYTES(0xff, 0x20), .kind = X86_JMP_IND,
	 .flags = LD | EA},
	{__LINE__, "bnd jmp *8(%rip)", BYTES(0xf2, 0xff, 0x25, 8, 0, 0, 0),
	 .kind = X86_JMP_IND, .flags = LD | EA},
	{__LINE__, "call", BYTES(0xe8, 5, 0, 0, 0), .kind = X86_CALL, .flags = ST},
	{__LINE__, "call *%rax", BYTES(0xff, 0xd0), .kind = X86_CALL_IND, .flags = ST},
	{__LINE__, "call *(%rax)", BYTES(0xff, 0x10), .kind = X86_CALL_IND,
	 .flags = LD | ST | EA},
	{__LINE__, "ret", BYTES(0xc3), .kind = X86_RET, .flags = LD},
	{__LINE__, "rep ret", BYTES(0xf3, 0xc3), .kind = X86_RET, .flags = LD},
	{__LINE__, "syscall", BYTES(0x0f, 0x05), .kind = X86_SYSCALL},
	{__LINE__, "int $0x80", BYTES(0xcd, 0x80), .kind = X86_SYSCALL},
	{__LINE__, "int $0x3", BYTES(0xcd, 0x03), .kind = X86_PLAIN},

	{__LINE__, "rep movsb", BYTES(0xf3, 0xa4), .flags = LD | ST | X86_REP},
	{__LINE__, "movsq", BYTES(0x48, 0xa5), .flags = LD | ST},
	{__LINE__, "repe cmpsb", BYTES(0xf3, 0xa6),
	 .flags = LD | X86_TWO_LOADS | X86_REP},
	{__LINE__, "repne scasb", BYTES(0xf2, 0xae), .flags = LD | X86_REP},
	{__LINE__, "rep stosq", BYTES(0xf3, 0x48, 0xab), .flags = ST | X86_REP},
	{__LINE__, "lock incl (%rax)", BYTES(0xf0, 0xff, 0x00),
	 .flags = LD | ST | EA | X86_LOCK},
	{__LINE__, "xchg %eax,(%rbx)", BYTES(0x87, 0x03),
	 .flags = LD | ST | EA | X86_LOCK},
	{__LINE__, "xchg %ecx,%ebx", BYTES(0x87, 0xcb), .flags = 0},
	{__LINE__, "cmpxchg %ecx,(%rdx)", BYTES(0x0f, 0xb1, 0x0a),
	 .flags = LD | ST | EA | X86_CMPXCHG},
	{__LINE__, "lock cmpxchg16b (%rsi)", BYTES(0xf0, 0x48, 0x0f, 0xc7, 0x0e),
	 .flags = LD | ST | EA | X86_CMPXCHG | X86_LOCK},
	{__LINE__, "rdrand %eax", BYTES(0x0f, 0xc7, 0xf0), .flags = 0},

	{__LINE__, "nop", BYTES(0x90), .kind = X86_NOP},
	{__LINE__, "xchg %ax,%ax", BYTES(0x66, 0x90), .kind = X86_NOP},
	{__LINE__, "pause", BYTES(0xf3, 0x90), .kind = X86_PLAIN},
	{__LINE__, "xchg %r8,%rax", BYTES(0x49, 0x90), .kind = X86_PLAIN},
	{__LINE__, "nopw 0(%rax,%rax,1)", BYTES(0x66, 0x0f, 0x1f, 0x44, 0, 0),
	 .kind = X86_NOP, .flags = X86_EA | X86_ADDRESS_ONLY},
	{__LINE__, "endbr64", BYTES(0xf3, 0x0f, 0x1e, 0xfa), .kind = X86_PLAIN},
	{__LINE__, "fnop", BYTES(0xd9, 0xd0), .kind = X86_NOP},
	{__LINE__, "prefetcht0 (%rax)", BYTES(0x0f, 0x18, 0x08), .kind = X86_PREFETCH,
	 .flags = X86_EA | X86_ADDRESS_ONLY},
	{__LINE__, "prefetchw (%rax)", BYTES(0x0f, 0x0d, 0x08), .kind = X86_PREFETCH,
	 .flags = X86_EA | X86_ADDRESS_ONLY | X86_FOR_WRITING},
	{__LINE__, "mfence", BYTES(0x0f, 0xae, 0xf0), .kind = X86_SYNC},
	{__LINE__, "lfence", BYTES(0x0f, 0xae, 0xe8), .kind = X86_SYNC},
	{__LINE__, "sfence", BYTES(0x0f, 0xae, 0xf8), .kind = X86_SYNC},
	{__LINE__, "clflush (%rax)", BYTES(0x0f, 0xae, 0x38),
	 .flags = X86_EA | X86_ADDRESS_ONLY},
	{__LINE__, "ldmxcsr (%rax)", BYTES(0x0f, 0xae, 0x10), .flags = LD | EA},
	{__LINE__, "xsave (%rax)", BYTES(0x0f, 0xae, 0x20), .flags = ST | EA},
	{__LINE__, "incsspq %rax", BYTES(0xf3, 0x48, 0x0f, 0xae, 0xe8),
	 .kind = X86_PLAIN},

	{__LINE__, "imul %rbx,%rax", BYTES(0x48, 0x0f, 0xaf, 0xc3), .kind = X86_MULDIV},
	{__LINE__, "imul $3,%ecx,%eax", BYTES(0x6b, 0xc1, 3), .kind = X86_MULDIV},
	{__LINE__, "mul %rdx", BYTES(0x48, 0xf7, 0xe2), .kind = X86_MULDIV},
	{__LINE__, "divl (%rax)", BYTES(0xf7, 0x30), .kind = X86_MULDIV,
	 .flags = LD | EA},
	{__LINE__, "neg %eax", BYTES(0xf7, 0xd8), .kind = X86_PLAIN},
	{__LINE__, "notl (%rax)", BYTES(0xf7, 0x10), .flags = LD | ST | EA},
	{__LINE__, "testl $1,(%rax)", BYTES(0xf7, 0x00, 1, 0, 0, 0), .flags = LD | EA},
	{__LINE__, "mulx %rax,%rbx,%rcx", BYTES(0xc4, 0xe2, 0xe3, 0xf6, 0xc8),
	 .kind = X86_MULDIV},

	{__LINE__, "addsd %xmm1,%xmm0", BYTES(0xf2, 0x0f, 0x58, 0xc1), .fp = X86_FP_ADD,
	 .fp_ops = 1},
	{__LINE__, "subss (%rax),%xmm0", BYTES(0xf3, 0x0f, 0x5c, 0x00), .flags = EA,
	 .fp = X86_FP_ADD, .fp_ops = 1},
	{__LINE__, "mulps %xmm1,%xmm0", BYTES(0x0f, 0x59, 0xc1), .flags = X86_VEC,
	 .fp = X86_FP_MUL, .fp_ops = 4},
	{__LINE__, "divpd %xmm1,%xmm0", BYTES(0x66, 0x0f, 0x5e, 0xc1), .flags = X86_VEC,
	 .fp = X86_FP_DIV, .fp_ops = 2},
	{__LINE__, "vaddps %ymm0,%ymm1,%ymm2", BYTES(0xc5, 0xf4, 0x58, 0xd0),
	 .flags = X86_VEC, .fp = X86_FP_ADD, .fp_ops = 8},
	{__LINE__, "vaddpd %ymm8,%ymm9,%ymm10", BYTES(0xc4, 0x41, 0x35, 0x58, 0xd0),
	 .flags = X86_VEC, .fp = X86_FP_ADD, .fp_ops = 4},
	{__LINE__, "vsqrtsd %xmm0,%xmm1,%xmm2", BYTES(0xc5, 0xf3, 0x51, 0xd0),
	 .fp = X86_FP_SQRT, .fp_ops = 1},
	{__LINE__, "vfmadd213sd %xmm0,%xmm1,%xmm2", BYTES(0xc4, 0xe2, 0xf1, 0xa9, 0xd0),
	 .fp = X86_FP_FMA, .fp_ops = 2},
	{__LINE__, "vfmadd231pd %ymm0,%ymm1,%ymm2", BYTES(0xc4, 0xe2, 0xf5, 0xb8, 0xd0),
	 .flags = X86_VEC, .fp = X86_FP_FMA, .fp_ops = 8},
	{__LINE__, "vfnmadd132ps %xmm0,%xmm1,%xmm2", BYTES(0xc4, 0xe2, 0x71, 0x9c, 0xd0),
	 .flags = X86_VEC, .fp = X86_FP_FMA, .fp_ops = 8},
	{__LINE__, "haddps %xmm1,%xmm0", BYTES(0xf2, 0x0f, 0x7c, 0xc1), .flags = X86_VEC,
	 .fp = X86_FP_ADD, .fp_ops = 4},
	{__LINE__, "cvtsi2sd %eax,%xmm0", BYTES(0xf2, 0x0f, 0x2a, 0xc0),
	 .fp = X86_FP_OTHER, .fp_ops = 1},
	{__LINE__, "cvtdq2ps %xmm0,%xmm0", BYTES(0x0f, 0x5b, 0xc0), .flags = X86_VEC,
	 .fp = X86_FP_OTHER, .fp_ops = 4},
	{__LINE__, "ucomisd %xmm1,%xmm0", BYTES(0x66, 0x0f, 0x2e, 0xc1),
	 .fp = X86_FP_OTHER, .fp_ops = 1},
	{__LINE__, "roundsd", BYTES(0x66, 0x0f, 0x3a, 0x0b, 0xc1, 0), .fp = X86_FP_OTHER,
	 .fp_ops = 1},
	{__LINE__, "movaps %xmm1,%xmm0", BYTES(0x0f, 0x28, 0xc1), .flags = 0},
	{__LINE__, "shufps", BYTES(0x0f, 0xc6, 0xc1, 0), .flags = 0},
	{__LINE__, "xorps %xmm0,%xmm0", BYTES(0x0f, 0x57, 0xc0), .flags = X86_VEC},
	{__LINE__, "paddd (%rax),%xmm0", BYTES(0x66, 0x0f, 0xfe, 0x00),
	 .flags = X86_VEC | EA},
	{__LINE__, "pshufb %xmm1,%xmm0", BYTES(0x66, 0x0f, 0x38, 0x00, 0xc1), .flags = 0},
	{__LINE__, "pmulld %xmm1,%xmm0", BYTES(0x66, 0x0f, 0x38, 0x40, 0xc1),
	 .flags = X86_VEC},
	{__LINE__, "psrldq $8,%xmm0", BYTES(0x66, 0x0f, 0x73, 0xd8, 8), .flags = 0},
	{__LINE__, "psrlq $8,%xmm0", BYTES(0x66, 0x0f, 0x73, 0xd0, 8), .flags = X86_VEC},
	{__LINE__, "vzeroupper", BYTES(0xc5, 0xf8, 0x77), .flags = 0},
	{__LINE__, "vpgatherdd", BYTES(0xc4, 0xe2, 0x69, 0x90, 0x04, 0x88),
	 .flags = LD | EA | X86_GATHER},

	{__LINE__, "fadd %st(1),%st", BYTES(0xd8, 0xc1), .fp = X86_FP_ADD, .fp_ops = 1},
	{__LINE__, "fmull (%rax)", BYTES(0xdc, 0x08), .flags = LD | EA, .fp = X86_FP_MUL,
	 .fp_ops = 1},
	{__LINE__, "fdivrp", BYTES(0xde, 0xf1), .fp = X86_FP_DIV, .fp_ops = 1},
	{__LINE__, "fsqrt", BYTES(0xd9, 0xfa), .fp = X86_FP_SQRT, .fp_ops = 1},
	{__LINE__, "fsin", BYTES(0xd9, 0xfe), .fp = X86_FP_OTHER, .fp_ops = 1},
	{__LINE__, "fucomip", BYTES(0xdf, 0xe9), .fp = X86_FP_OTHER, .fp_ops = 1},
	{__LINE__, "fldl (%rax)", BYTES(0xdd, 0x00), .flags = LD | EA},
	{__LINE__, "fstpt (%rax)", BYTES(0xdb, 0x38), .flags = ST | EA},
	{__LINE__, "fildll (%rax)", BYTES(0xdf, 0x28), .flags = LD | EA,
	 .fp = X86_FP_OTHER, .fp_ops = 1},
	{__LINE__, "fxch", BYTES(0xd9, 0xc9), .flags = 0},
	{__LINE__, "fld1", BYTES(0xd9, 0xe8), .flags = 0},
	{__LINE__, "fcmove", BYTES(0xda, 0xc9), .flags = 0},
	{__LINE__, "fnstcw (%rax)", BYTES(0xd9, 0x38), .flags = ST | EA},

	{__LINE__, "vaddps %zmm0,%zmm1,%zmm2", BYTES(0x62, 0xf1, 0x74, 0x48, 0x58, 0xd0),
	 .flags = X86_EVEX},
};

static void reads_instructions(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
		const struct example *const e = &examples[i];
		struct x86_insn x;
		const int r = x86_decode(e->byte, e->len, &x);

		if (r || x.kind != e->kind || x.flags != e->flags || x.fp != e->fp ||
		    x.fp_ops != e->fp_ops)
			fail_msg("%s:%d: %s: %d: kind %d, flags %#x, fp %d of %u",
				 __FILE__, e->line, e->text, r, x.kind, x.flags, x.fp,
				 x.fp_ops);
	}
}

struct address {
	int line;
	unsigned len;
	uint8_t byte[15];
	struct x86_mem mem;
};

static const struct address addresses[] = {
	/* mov (%rbx),%rax; (%r13); 0x12(%rsp); (%rax,%r9,8); rip; no base; fs; addr32 */
	{__LINE__, BYTES(0x48, 0x8b, 0x03), {.base = 3, .index = -1}},
	{__LINE__, BYTES(0x49, 0x8b, 0x45, 0x00), {.base = 13, .index = -1}},
	{__LINE__,
	 BYTES(0x48, 0x8b, 0x44, 0x24, 0x12),
	 {.base = 4, .index = -1, .disp = 18}},
	{__LINE__, BYTES(0x4a, 0x8b, 0x04, 0xc8), {.base = 0, .index = 9, .scale = 3}},
	{__LINE__,
	 BYTES(0x48, 0x8b, 0x05, 0xfe, 0xff, 0xff, 0xff),
	 {.base = -1, .index = -1, .rip = 1, .disp = -2}},
	{__LINE__,
	 BYTES(0x48, 0x8b, 0x04, 0x25, 0x78, 0x56, 0x34, 0x12),
	 {.base = -1, .index = -1, .disp = 0x12345678}},
	{__LINE__,
	 BYTES(0x64, 0x48, 0x8b, 0x04, 0x25, 0x28, 0, 0, 0),
	 {.base = -1, .index = -1, .seg = X86_SEG_FS, .disp = 0x28}},
	{__LINE__, BYTES(0x67, 0x8b, 0x03), {.base = 3, .index = -1, .addr32 = 1}},
	{__LINE__,
	 BYTES(0x8b, 0x84, 0x8d, 0, 0, 0, 0x80),
	 {.base = 5, .index = 1, .scale = 2, .disp = INT32_MIN}},
	/* vmovaps 0x40(%r8,%r10),%ymm9, with a VEX prefix of three bytes */
	{__LINE__,
	 BYTES(0xc4, 0x01, 0x7c, 0x28, 0x4c, 0x10, 0x40),
	 {.base = 8, .index = 10, .disp = 0x40}},
};

static void reads_addresses(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof addresses / sizeof *addresses; i++) {
		const struct address *const p = &addresses[i];
		struct x86_insn x;

		if (x86_decode(p->byte, p->len, &x) || !(x.flags & X86_EA) ||
		    x.mem.base != p->mem.base || x.mem.index != p->mem.index ||
		    x.mem.scale != p->mem.scale || x.mem.rip != p->mem.rip ||
		    x.mem.seg != p->mem.seg || x.mem.addr32 != p->mem.addr32 ||
		    x.mem.disp != p->mem.disp)
			fail_msg("%s:%d: base %d index %d << %d rip %d seg %d disp %d",
				 __FILE__, p->line, x.mem.base, x.mem.index, x.mem.scale,
				 x.mem.rip, x.mem.seg, x.mem.disp);
	}
}

/* An instruction that is cut short is refused, and no byte beyond the cut is read. */
static void reads_no_byte_beyond(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof addresses / sizeof *addresses; i++)
		for (unsigned len = 0; len < addresses[i].len; len++) {
			uint8_t cut[15];
			struct x86_insn x;

			memcpy(cut + sizeof cut - len, addresses[i].byte, len);
			assert_int_equal(-1, x86_decode(cut + sizeof cut - len, len, &x));
		}
}

/* Any bytes can be decoded, always with the same result. */
static void reads_anything(void **state)
{
	uint32_t random = 1;

	(void)state;
	for (int i = 0; i < 200000; i++) {
		uint8_t byte[15];
		struct x86_insn a, b;

		for (unsigned k = 0; k < sizeof byte; k++)
			byte[k] = (random = random * 1664525 + 1013904223) >> 24;
		const unsigned len = random >> 8 & 15;
		const int r = x86_decode(byte, len, &a);
		assert_int_equal(r, x86_decode(byte, len, &b));
		assert_int_equal(a.flags, b.flags);
		assert_false(a.flags & X86_ADDRESS_ONLY && a.flags & X86_MEM);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_instructions),
		cmocka_unit_test(reads_addresses),
		cmocka_unit_test(reads_no_byte_beyond),
		cmocka_unit_test(reads_anything),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
