/*
 * Decodes LLWPCB, SLWPCB, LWPINS and LWPVAL (section 4), which are encoded as [segment]
 * [67] 8F P1 P2 12 ModRM [SIB] [displacement] [immediate]. P1 has ~R ~X ~B and the map of
 * opcodes, P2 has W, ~vvvv, L and pp.
 */
#include <lwp.h>

#include <errno.h>

#include "base/bytes.h"

enum { XOP = 0x8f, OPCODE = 0x12, MAP_CONTROL = 9, MAP_DATA = 10 };

/* The bytes that are not read yet. */
struct cursor {
	const uint8_t *p;
	size_t left;
	int is_short; /* bytes were missing */
};

/* Takes n bytes. Returns NULL and sets is_short if there are fewer. */
static const uint8_t *take(struct cursor *c, size_t n)
{
	const uint8_t *p = c->p;

	if (c->left < n) {
		c->is_short = 1;
		return NULL;
	}
	c->p += n;
	c->left -= n;
	return p;
}

static void read_prefixes(lwp_instruction_t *i, struct cursor *c)
{
	for (; c->left; take(c, 1)) {
		switch (*c->p) {
		case 0x26:
		case 0x2e:
		case 0x36:
		case 0x3e:
			/* 64-bit mode ignores ES, CS, SS and DS. */
			if (i->mode == 32)
				i->segment = *c->p;
			break;
		case 0x64:
		case 0x65:
			i->segment = *c->p;
			break;
		case 0x67:
			i->address_size = i->mode / 2;
			break;
		default:
			return;
		}
	}
}

static void read_displacement(lwp_instruction_t *i, struct cursor *c, unsigned bytes)
{
	const uint8_t *p = take(c, bytes);

	i->displacement_bytes = bytes;
	if (!p || !bytes)
		return;
	i->displacement = bytes == 1   ? (int8_t)*p
			  : bytes == 2 ? (int16_t)bytes_get16(p)
				       : (int32_t)bytes_get32(p);
}

static void read_memory16(lwp_instruction_t *i, struct cursor *c, unsigned mod,
			  unsigned rm)
{
	enum { BX = 3, BP = 5, SI = 6, DI = 7 };
	static const uint8_t base[8] = {BX, BX, BP, BP, SI, DI, BP, BX};
	static const uint8_t index[4] = {SI, DI, SI, DI};
	const int is_absolute = mod == 0 && rm == 6;

	i->base = is_absolute ? LWP_REG_NONE : base[rm];
	i->index = rm < 4 ? index[rm] : LWP_REG_NONE;
	read_displacement(i, c, is_absolute ? 2 : mod);
}

static void read_sib(lwp_instruction_t *i, unsigned sib, unsigned x)
{
	const unsigned index = (sib >> 3 & 7) | x;

	i->sib = 1;
	i->scale = sib >> 6;
	i->index = index == 4 ? LWP_REG_NONE : index;
}

/* x and b extend the numbers of the index and of the base: each is 8 or 0. */
static void read_memory(lwp_instruction_t *i, struct cursor *c, unsigned modrm,
			unsigned x, unsigned b)
{
	static const uint8_t sizes[] = {0, 1, 4};
	const unsigned mod = modrm >> 6;
	unsigned base = modrm & 7;

	i->memory = 1;
	i->base = i->index = LWP_REG_NONE;
	if (i->address_size == 16) {
		read_memory16(i, c, mod, base);
		return;
	}
	if (base == 4) {
		const uint8_t *sib = take(c, 1);

		if (!sib)
			return;
		read_sib(i, *sib, x);
		base = *sib & 7;
	}
	if (mod == 0 && base == 5) {
		if (!i->sib && i->mode == 64)
			i->base = LWP_REG_RIP;
		read_displacement(i, c, 4);
		return;
	}
	i->base = base | b;
	read_displacement(i, c, sizes[mod]);
}

/* Reads the operation from the bytes of the XOP prefix, the opcode and ModRM. */
static int read_op(lwp_instruction_t *i, const uint8_t *xop)
{
	const unsigned map = xop[1] & 31, modrm = xop[4], op = modrm >> 3 & 7;

	/* L and pp are 0. */
	if (xop[0] != XOP || xop[3] != OPCODE || xop[2] & 7 || op > 1)
		return -1;
	if (map == MAP_DATA) {
		i->op = op ? LWP_OP_LWPVAL : LWP_OP_LWPINS;
		return 0;
	}
	/* Without a register in vvvv, its bits are set; the operand is a register. */
	if (map != MAP_CONTROL || (xop[2] & 0x78) != 0x78 || modrm >> 6 != 3)
		return -1;
	i->op = op ? LWP_OP_SLWPCB : LWP_OP_LLWPCB;
	return 0;
}

static int read_instruction(lwp_instruction_t *i, struct cursor *c)
{
	read_prefixes(i, c);
	/* Says that these bytes are no LWP instruction before more of them are needed. */
	if (c->left && *c->p != XOP)
		return -1;
	const uint8_t *xop = take(c, 5);

	if (!xop || read_op(i, xop) != 0)
		return -1;
	/* In 32-bit mode W and the bits that extend numbers of registers are ignored. */
	const int is_64 = i->mode == 64;
	const unsigned x = is_64 && !(xop[1] & 0x40) ? 8 : 0;
	const unsigned b = is_64 && !(xop[1] & 0x20) ? 8 : 0;
	const unsigned modrm = xop[4], rm = (modrm & 7) | b;

	i->wide = is_64 && xop[2] >> 7;
	if (i->op == LWP_OP_LLWPCB || i->op == LWP_OP_SLWPCB) {
		i->reg = rm;
		return 0;
	}
	i->reg = (~xop[2] >> 3) & (is_64 ? 15 : 7);
	if (modrm >> 6 == 3)
		i->rm = rm;
	else
		read_memory(i, c, modrm, x, b);
	const uint8_t *imm = take(c, 4);

	if (imm)
		i->immediate = bytes_get32(imm);
	return 0;
}

int lwp_instruction_decode(lwp_instruction_t *i, const void *p, size_t n, unsigned mode)
{
	const size_t size = n < LWP_INSTRUCTION_MAX ? n : LWP_INSTRUCTION_MAX;
	struct cursor c = {.p = p, .left = size};

	*i = (lwp_instruction_t){.mode = mode, .address_size = mode};
	errno = EINVAL;
	if (mode != 64 && mode != 32)
		return -1;
	if (read_instruction(i, &c) != 0 && !c.is_short)
		return -1;
	if (c.is_short) {
		if (n < LWP_INSTRUCTION_MAX)
			errno = ENODATA;
		return -1;
	}
	i->length = size - c.left;
	return i->length;
}

uint64_t lwp_instruction_address(const lwp_instruction_t *i, const uint64_t *reg,
				 uint64_t ip, uint64_t segment_base)
{
	uint64_t a = (uint64_t)(int64_t)i->displacement;

	if (i->base == LWP_REG_RIP)
		a += ip + i->length;
	else if (i->base < 16)
		a += reg[i->base];
	if (i->index < 16)
		a += reg[i->index] << (i->scale & 3);
	if (i->address_size < 64)
		a &= (UINT64_C(1) << i->address_size) - 1;
	a += segment_base;
	return i->mode == 64 ? a : (uint32_t)a;
}
