/*
 * A decoder of x86-64 instructions, as far as counting needs it: the kind of an
 * instruction, whether it has operands in memory, and the registers that form the address
 * of such an operand. 64-bit mode only. Uses no C library.
 */
#ifndef SIM_X86_DECODE_H
#define SIM_X86_DECODE_H

#include <stdint.h>

#include "sim/x86/table.h"

enum x86_seg { X86_SEG_NONE, X86_SEG_FS, X86_SEG_GS };

/* base + (index << scale) + disp; registers 0 to 15: rax, rcx, rdx, rbx, rsp, ... */
struct x86_mem {
	int8_t base, index; /* register number; -1: none */
	uint8_t scale;
	uint8_t rip;	/* 1: relative to the next instruction */
	uint8_t seg;	/* enum x86_seg */
	uint8_t addr32; /* 1: the address is cut to 32 bits */
	int32_t disp;
};

struct x86_insn {
	enum x86_kind kind;
	unsigned flags; /* X86_REP ... */
	enum x86_fp fp;
	unsigned fp_ops; /* elements; of a fused multiply-add: 2 for each */
	struct x86_mem mem;
};

/*
 * Decodes the instruction at p, of which len bytes can be read. Returns 0, or -1 if the
 * instruction is longer than len, or than the 15 bytes that are allowed. Bytes after the
 * instruction are not read, and invalid instructions are X86_PLAIN.
 */
int x86_decode(const uint8_t *p, unsigned len, struct x86_insn *out);

#endif
