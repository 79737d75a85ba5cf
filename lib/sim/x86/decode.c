#include "sim/x86/decode.h"

#include "sim/x86/table.h"

/* The fields of an instruction. */
struct decoder {
	const uint8_t *p, *end;
	unsigned rex; /* bits W R X B, as in REX */
	unsigned pp;  /* prefix, as in VEX.pp: 0 none, 1: 66, 2: F3, 3: F2 */
	unsigned map, op;
	unsigned len256; /* VEX.L */
	int vex, has66, rep, lock, addr32;
	enum x86_seg seg;
	int has_modrm;
	unsigned mod, reg, rm;
};

/* Reads legacy prefixes. The last of F2 and F3 counts, and overrides 66. */
static void read_prefixes(struct decoder *h)
{
	for (; h->p < h->end; h->p++) {
		switch (*h->p) {
		case 0x66:
			h->has66 = 1;
			break;
		case 0x67:
			h->addr32 = 1;
			break;
		case 0xf2:
		case 0xf3:
			h->rep = *h->p;
			break;
		case 0xf0:
			h->lock = 1;
			break;
		case 0x64:
			h->seg = X86_SEG_FS;
			break;
		case 0x65:
			h->seg = X86_SEG_GS;
			break;
		case 0x26:
		case 0x2e:
		case 0x36:
		case 0x3e:
			break;
		default:
			return;
		}
	}
}

/* Reads a VEX prefix of 2 or 3 bytes and the opcode. Returns -1 if bytes are missing. */
static int read_vex(struct decoder *h, unsigned size)
{
	if (h->end - h->p < (int)size + 1)
		return -1;
	const unsigned last = h->p[size - 1];

	h->vex = 1;
	h->rex = size == 2 ? (~h->p[1] >> 5 & 4) : (~h->p[1] >> 5 & 7) | (last >> 4 & 8);
	h->map = size == 2 ? 1 : h->p[1] & 31;
	h->pp = last & 3;
	h->len256 = last >> 2 & 1;
	h->op = h->p[size];
	h->p += size + 1;
	return 0;
}

/* Without VEX: reads REX, 0F escapes and the opcode. Returns -1 if bytes are missing. */
static int read_legacy(struct decoder *h)
{
	if (h->p < h->end && (*h->p & 0xf0) == 0x40)
		h->rex = *h->p++ & 15;
	h->pp = h->rep == 0xf3 ? 2 : h->rep == 0xf2 ? 3 : h->has66 ? 1 : 0;
	if (h->p < h->end && *h->p == 0x0f) {
		h->p++;
		h->map = 1;
		if (h->p < h->end && (*h->p == 0x38 || *h->p == 0x3a))
			h->map = *h->p++ == 0x38 ? 2 : 3;
	}
	if (h->p == h->end)
		return -1;
	h->op = *h->p++;
	return 0;
}

/* map0: opcodes with ModRM; none1: opcodes after 0F without ModRM; a bit for each. */
static int has_modrm(const struct decoder *h)
{
	static const uint32_t map0[8] = {0x0f0f0f0f, 0x0f0f0f0f, 0x00000000, 0x00000a08,
					 0x0000ffff, 0x00000000, 0xff0f00c3, 0xc0c00000};
	static const uint32_t none1[8] = {0x00004be0, 0x00ff0000, 0x00000000, 0x00800000,
					  0x0000ffff, 0x00000707, 0x0000ff00, 0x00000000};
	const unsigned bit = h->op & 31, word = h->op >> 5;

	if (h->map == 0)
		return map0[word] >> bit & 1;
	return h->map > 1 || !(none1[word] >> bit & 1);
}

static int32_t signed32(const uint8_t *p)
{
	return (int32_t)((uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
			 (uint32_t)p[3] << 24);
}

/* Reads SIB and displacement of an operand in memory. Returns -1 if bytes are missing. */
static int read_memory(struct decoder *h, struct x86_mem *m)
{
	const int wide = h->mod == 2;
	unsigned base = h->rm, size = h->mod == 1 ? 1 : wide ? 4 : 0;

	m->base = m->index = -1;
	m->seg = h->seg;
	m->addr32 = h->addr32;
	if (h->rm == 4) {
		if (h->p == h->end)
			return -1;
		const unsigned sib = *h->p++;
		const unsigned index = (sib >> 3 & 7) | (h->rex & 2) << 2;

		base = sib & 7;
		m->scale = sib >> 6;
		m->index = index == 4 ? -1 : (int8_t)index;
	}
	if (base == 5 && h->mod == 0) {
		size = 4;
		m->rip = h->rm == 5;
	} else {
		m->base = (int8_t)(base | (h->rex & 1) << 3);
	}
	if (h->end - h->p < (int)size)
		return -1;
	if (size)
		m->disp = size == 1 ? (int8_t)*h->p : signed32(h->p);
	h->p += size;
	return 0;
}

static unsigned elements(const struct decoder *h, enum x86_elem elem)
{
	const unsigned wide = h->len256 ? 2 : 1;

	switch (elem) {
	case ELEM_PP:
		return h->pp == 0 ? 4 * wide : h->pp == 1 ? 2 * wide : 1;
	case ELEM_PS:
		return 4 * wide;
	case ELEM_PD:
		return 2 * wide;
	case ELEM_HADD:
		return h->pp == 1 ? 2 * wide : 4 * wide;
	case ELEM_W:
		return (h->rex & 8 ? 2 : 4) * wide;
	case ELEM_TWO:
		return 2;
	default:
		return 1;
	}
}

static int matches(const struct x86_rule *r, const struct decoder *h)
{
	if (r->map != h->map || h->op < r->first || h->op > r->last)
		return 0;
	if (r->pp && !(r->pp >> h->pp & 1))
		return 0;
	if (r->vex && !h->vex)
		return 0;
	if (!h->has_modrm)
		return 1;
	if (r->form && r->form != (h->mod == 3 ? FORM_REG : FORM_MEM))
		return 0;
	if (r->rm && r->rm != (0xc0 | h->reg << 3 | h->rm))
		return 0;
	return !r->regs || (r->regs >> h->reg & 1);
}

static void apply_rule(const struct x86_rule *r, const struct decoder *h,
		       struct x86_insn *out)
{
	if (r->kind)
		out->kind = r->kind;
	if (r->fp) {
		out->fp = r->fp;
		out->fp_ops = elements(h, r->elem) * (r->fp == X86_FP_FMA ? 2 : 1);
	}
	out->flags |= r->flags;
	if (r->elem_vec && elements(h, r->elem) > 1)
		out->flags |= X86_VEC;
}

/* Applies what prefixes and other fields change after the rules. */
static void apply_prefixes(const struct decoder *h, struct x86_insn *out)
{
	/* nop with REX.B is xchg with r8, and with F3 pause */
	if (h->map == 0 && h->op == 0x90 && ((h->rex & 1) || h->rep == 0xf3))
		out->kind = X86_PLAIN;
	if (h->map == 0 && h->op == 0xcd && (h->p == h->end || *h->p != 0x80))
		out->kind = X86_PLAIN;
	if (out->kind == X86_JCC && (h->op & 1) &&
	    (h->map == 1 || (h->op & 0xf0) == 0x70))
		out->flags |= X86_NEGATED;
	if (!h->rep)
		out->flags &= ~X86_REP;
	if (h->lock)
		out->flags |= X86_LOCK;
	if (h->has_modrm && h->mod != 3)
		out->flags |= X86_EA | X86_MEM;
	if (out->flags & (X86_LOADS | X86_STORES))
		out->flags |= X86_MEM;
	if (out->flags & X86_ADDRESS_ONLY)
		out->flags &= ~X86_MEM;
}

int x86_decode(const uint8_t *p, unsigned len, struct x86_insn *out)
{
	struct decoder h = {.p = p, .end = p + (len < 15 ? len : 15)};

	*out = (struct x86_insn){.kind = X86_PLAIN};
	read_prefixes(&h);
	if (h.p == h.end)
		return -1;
	if (*h.p == 0x62) {
		out->flags = X86_EVEX;
		return 0;
	}
	if (*h.p == 0xc5   ? read_vex(&h, 2)
	    : *h.p == 0xc4 ? read_vex(&h, 3)
			   : read_legacy(&h))
		return -1;
	h.has_modrm = has_modrm(&h);
	if (h.has_modrm) {
		if (h.p == h.end)
			return -1;
		h.mod = *h.p >> 6;
		h.reg = *h.p >> 3 & 7;
		h.rm = *h.p++ & 7;
		if (h.mod != 3 && read_memory(&h, &out->mem))
			return -1;
	}
	for (const struct x86_rule *r = x86_rules; r->last; r++)
		if (matches(r, &h))
			apply_rule(r, &h, out);
	apply_prefixes(&h, out);
	return 0;
}
