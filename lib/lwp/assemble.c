/* Encodes the LWP instructions, and writes them as text. */
#include <lwp.h>

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"

enum { RSP = 4, RBP = 5 };

/* The bytes of ModRM, SIB and displacement, and the bits that extend registers. */
struct operand {
	uint8_t modrm, sib;
	unsigned has_sib, displacement_bytes;
	unsigned x, b; /* 1: the number of the index, or base, is 8 or more */
};

static unsigned displacement_size(const lwp_instruction_t *i, unsigned wide)
{
	const int32_t d = i->displacement;
	const unsigned need = d == 0 ? 0 : d == (int8_t)d ? 1 : wide;
	const unsigned want = i->displacement_bytes;

	return need > want ? need : want;
}

static unsigned mod_of(unsigned displacement_bytes)
{
	return displacement_bytes == 0 ? 0 : displacement_bytes == 1 ? 1 : 2;
}

static int operand16(struct operand *o, const lwp_instruction_t *i)
{
	/* By rm: the base and the index of the forms bx+si to bx. */
	static const uint8_t forms[8][2] = {{3, 6},
					    {3, 7},
					    {5, 6},
					    {5, 7},
					    {6, LWP_REG_NONE},
					    {7, LWP_REG_NONE},
					    {5, LWP_REG_NONE},
					    {3, LWP_REG_NONE}};
	unsigned rm;

	if (i->displacement != (int16_t)i->displacement || i->displacement_bytes > 2 ||
	    i->sib || i->scale)
		return -1;
	if (i->base == LWP_REG_NONE && i->index == LWP_REG_NONE) {
		o->modrm = 6;
		o->displacement_bytes = 2;
		return 0;
	}
	for (rm = 0; rm < 8; rm++)
		if (forms[rm][0] == i->base && forms[rm][1] == i->index)
			break;
	if (rm == 8)
		return -1;
	o->displacement_bytes = displacement_size(i, 2);
	if (rm == 6 && o->displacement_bytes == 0)
		o->displacement_bytes = 1;
	o->modrm = mod_of(o->displacement_bytes) << 6 | rm;
	return 0;
}

static int is_register(const lwp_instruction_t *i, unsigned reg)
{
	return reg < (i->mode == 64 ? 16 : 8);
}

static int is_rip_relative(const lwp_instruction_t *i)
{
	return i->base == LWP_REG_RIP && i->mode == 64;
}

/* Address of 32 or 64 bits: 1 if the registers and numbers exist. */
static int is_operand32(const lwp_instruction_t *i)
{
	const int has_index = is_register(i, i->index);

	if (!is_register(i, i->base) && !is_rip_relative(i) && i->base != LWP_REG_NONE)
		return 0;
	if ((!has_index && i->index != LWP_REG_NONE) || i->index == RSP || i->scale > 3)
		return 0;
	if (is_rip_relative(i) && (has_index || i->sib))
		return 0;
	return i->displacement_bytes < 2 || i->displacement_bytes == 4;
}

static int operand32(struct operand *o, const lwp_instruction_t *i)
{
	const int has_base = is_register(i, i->base);
	const int has_index = is_register(i, i->index);

	if (!is_operand32(i))
		return -1;
	/* Without base, 64-bit mode takes the form without SIB as relative to rip. */
	o->has_sib = i->sib || has_index || (has_base && (i->base & 7) == RSP) ||
		     (!has_base && !is_rip_relative(i) && i->mode == 64);
	if (i->scale && !o->has_sib)
		return -1;
	o->displacement_bytes = has_base ? displacement_size(i, 4) : 4;
	if (has_base && (i->base & 7) == RBP && o->displacement_bytes == 0)
		o->displacement_bytes = 1;
	const unsigned low = has_base ? i->base & 7 : RBP;

	o->modrm = has_base ? mod_of(o->displacement_bytes) << 6 : 0;
	o->modrm |= o->has_sib ? RSP : low;
	o->sib = i->scale << 6 | (has_index ? i->index & 7 : RSP) << 3 | low;
	o->x = has_index && i->index > 7;
	o->b = has_base && i->base > 7;
	return 0;
}

static int fill_operand(struct operand *o, const lwp_instruction_t *i)
{
	const int is_control = i->op == LWP_OP_LLWPCB || i->op == LWP_OP_SLWPCB;
	const unsigned rm = is_control ? i->reg : i->rm;

	*o = (struct operand){0};
	if (!is_control && i->memory)
		return i->address_size == 16 ? operand16(o, i) : operand32(o, i);
	if (!is_register(i, rm))
		return -1;
	o->modrm = 0xc0 | (rm & 7);
	o->b = rm > 7;
	return 0;
}

static int is_valid(const lwp_instruction_t *i)
{
	if (i->mode != 64 && i->mode != 32)
		return 0;
	if (i->address_size != i->mode && i->address_size != i->mode / 2)
		return 0;
	if (i->op < LWP_OP_LLWPCB || i->op > LWP_OP_LWPVAL || !is_register(i, i->reg))
		return 0;
	if (i->wide > (i->mode == 64))
		return 0;
	switch (i->segment) {
	case 0:
	case 0x64:
	case 0x65:
		return 1;
	case 0x26:
	case 0x2e:
	case 0x36:
	case 0x3e:
		return i->mode == 32;
	}
	return 0;
}

/* Writes an instruction that is_valid() to b. Returns its length. */
static size_t encode(uint8_t *b, const lwp_instruction_t *i, const struct operand *o)
{
	const uint8_t *const start = b;
	const int is_control = i->op == LWP_OP_LLWPCB || i->op == LWP_OP_SLWPCB;
	const unsigned vvvv = is_control ? 0 : i->reg;
	const unsigned second = i->op == LWP_OP_SLWPCB || i->op == LWP_OP_LWPVAL;

	if (i->segment)
		*b++ = i->segment;
	if (i->address_size != i->mode)
		*b++ = 0x67;
	*b++ = 0x8f;
	*b++ = 0x80 | !o->x << 6 | !o->b << 5 | (is_control ? 9 : 10);
	*b++ = i->wide << 7 | (~vvvv & 15) << 3;
	*b++ = 0x12;
	*b++ = o->modrm | second << 3;
	if (o->has_sib)
		*b++ = o->sib;
	/* Little endian: the low bytes come first. */
	for (unsigned k = 0; k < o->displacement_bytes; k++)
		*b++ = (uint32_t)i->displacement >> 8 * k;
	if (!is_control) {
		bytes_put32(b, i->immediate);
		b += 4;
	}
	return (size_t)(b - start);
}

int lwp_instruction_encode(void *p, const lwp_instruction_t *i)
{
	/* Two prefixes, XOP with opcode and ModRM, SIB, displacement and immediate. */
	uint8_t bytes[2 + 5 + 1 + 4 + 4];
	struct operand o;
	size_t n;

	/* With all of these the instruction is longer than a processor accepts. */
	if (!is_valid(i) || fill_operand(&o, i) != 0 ||
	    (n = encode(bytes, i, &o)) > LWP_INSTRUCTION_MAX) {
		errno = EINVAL;
		return -1;
	}
	memcpy(p, bytes, n);
	return (int)n;
}

static const char *const names64[16] = {
	"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi",
	"r8",  "r9",  "r10", "r11", "r12", "r13", "r14", "r15",
};
static const char *const names32[16] = {
	"eax", "ecx", "edx",  "ebx",  "esp",  "ebp",  "esi",  "edi",
	"r8d", "r9d", "r10d", "r11d", "r12d", "r13d", "r14d", "r15d",
};
static const char *const names16[8] = {"ax", "cx", "dx", "bx", "sp", "bp", "si", "di"};

static const char *register_name(unsigned reg, unsigned bits)
{
	return bits == 64   ? names64[reg & 15]
	       : bits == 32 ? names32[reg & 15]
			    : names16[reg & 7];
}

/* A text that is being written: at characters, of which size - 1 fit. */
struct text {
	char *to;
	size_t size, at;
};

__attribute__((format(printf, 2, 3))) static void add(struct text *t, const char *format,
						      ...)
{
	va_list ap;

	va_start(ap, format);
	const int len = t->at < t->size
				? vsnprintf(t->to + t->at, t->size - t->at, format, ap)
				: vsnprintf(NULL, 0, format, ap);

	va_end(ap);
	t->at += (size_t)len;
}

static const char *segment_name(uint8_t prefix)
{
	switch (prefix) {
	case 0x26:
		return "%es:";
	case 0x2e:
		return "%cs:";
	case 0x36:
		return "%ss:";
	case 0x3e:
		return "%ds:";
	case 0x64:
		return "%fs:";
	case 0x65:
		return "%gs:";
	}
	return "";
}

/*
 * A SIB byte can name no index although the base does not need one, or with a scale. The
 * text tells this from the shorter encoding by an index riz or eiz, which is 0.
 */
static int has_zero_index(const lwp_instruction_t *i)
{
	if (!i->sib || i->index != LWP_REG_NONE)
		return 0;
	if (i->base == LWP_REG_NONE)
		return i->scale || i->address_size == 32;
	return i->scale || (i->base & 7) != RSP;
}

/*
 * A displacement without a register is an address of 64 or 32 bits. One of 16 bits has a
 * sign in objdump's text.
 */
static void add_displacement(struct text *t, const lwp_instruction_t *i, int has_register)
{
	const int64_t d = i->displacement;

	if (!has_register && i->address_size == 64)
		add(t, "0x%llx", (unsigned long long)d);
	else if (!has_register && i->address_size == 32)
		add(t, "0x%x", (unsigned)i->displacement);
	else if (d < 0)
		add(t, "-0x%llx", (unsigned long long)-d);
	else if (i->displacement_bytes)
		add(t, "0x%llx", (unsigned long long)d);
}

static void add_memory(struct text *t, const lwp_instruction_t *i)
{
	const unsigned bits = i->address_size;
	const int has_zero = has_zero_index(i), has_index = i->index != LWP_REG_NONE;
	const int has_base = i->base != LWP_REG_NONE;

	add(t, "%s", segment_name(i->segment));
	add_displacement(t, i, has_base || has_index || has_zero);
	if (!has_base && !has_index && !has_zero)
		return;
	add(t, "(");
	if (i->base == LWP_REG_RIP)
		add(t, "%%%s", bits == 64 ? "rip" : "eip");
	else if (has_base)
		add(t, "%%%s", register_name(i->base, bits));
	if (has_zero)
		add(t, ",%%%s", bits == 64 ? "riz" : "eiz");
	else if (has_index)
		add(t, ",%%%s", register_name(i->index, bits));
	if (has_zero || (has_index && bits != 16))
		add(t, ",%d", 1 << (i->scale & 3));
	add(t, ")");
}

size_t lwp_instruction_text(char *text, size_t n, const lwp_instruction_t *i)
{
	static const char *const names[] = {"(bad)", "llwpcb", "slwpcb", "lwpins",
					    "lwpval"};
	const unsigned op = i->op <= LWP_OP_LWPVAL ? i->op : 0;
	struct text t = {text, n, 0};

	add(&t, "%s", names[op]);
	if (op == LWP_OP_LWPINS || op == LWP_OP_LWPVAL) {
		add(&t, " $0x%x,", i->immediate);
		if (i->memory) {
			add_memory(&t, i);
		} else {
			add(&t, "%%%s", register_name(i->rm, 32));
		}
		add(&t, ",");
	} else if (op) {
		add(&t, " ");
	}
	if (op)
		add(&t, "%%%s", register_name(i->reg, i->wide ? 64 : 32));
	return t.at;
}
