/*
 * x86-64 instructions, as far as counting needs to tell them apart: what an instruction is,
 * whether it has operands in memory, and the address of one in terms of registers. 64-bit
 * mode alone. Pure: no C library.
 */
#ifndef SIM_X86_DECODE_H
#define SIM_X86_DECODE_H

#include <stdint.h>

#include "sim/x86/kind.h"

enum x86_seg { X86_SEG_NONE, X86_SEG_FS, X86_SEG_GS };

/* [base + (index << scale) + disp]; registers 0 to 15 (rax, rcx, rdx, rbx, rsp, ...). */
struct x86_mem {
	int8_t base, index; /* -1: none */
	uint8_t scale;
	uint8_t rip; /* relative to the next instruction */
	uint8_t seg; /* enum x86_seg */
	uint8_t addr32;
	int32_t disp;
};

struct x86_insn {
	enum x86_kind kind;
	unsigned flags;
	enum x86_fp fp;
	unsigned fp_ops; /* elements worked on; 2 for each of a multiply-add */
	struct x86_mem mem;
};

/*
 * What is at p, of len bytes? 0, or -1: it is not whole, or longer than the 15 bytes that an
 * instruction may have. Bytes beyond the instruction are not looked at, and what is no
 * instruction is X86_PLAIN.
 */
int x86_decode(const uint8_t *p, unsigned len, struct x86_insn *out);

#endif
