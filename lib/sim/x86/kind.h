/* The kinds of x86-64 instructions that are counted apart. */
#ifndef SIM_X86_KIND_H
#define SIM_X86_KIND_H

enum x86_kind {
	X86_PLAIN,
	X86_JCC, /* conditional jump, loop, jrcxz */
	X86_JMP,
	X86_JMP_IND,
	X86_CALL,
	X86_CALL_IND,
	X86_RET,
	X86_SYSCALL, /* syscall, sysenter, int 0x80 */
	X86_NOP,     /* named nop in Intel's manual: not pause, not endbr64 */
	X86_PREFETCH,
	X86_SYNC,  /* mfence, lfence, sfence */
	X86_MULDIV /* integer multiply and divide */
};

enum {
	X86_REP = 1,	 /* a string instruction with a rep prefix */
	X86_LOCK = 2,	 /* locked read-modify-write: lock prefix, or xchg with memory */
	X86_CMPXCHG = 4, /* of any width, locked or not */
	X86_VEC = 8,	 /* packed arithmetic or logic; not moves, shuffles, packs, AES */
	X86_EVEX = 16,	 /* AVX-512; no other flag or kind is set */
	X86_LOADS = 32,	 /* certainly reads memory */
	X86_STORES = 64, /* certainly writes memory; with X86_LOADS: the same operand */
	X86_MEM = 128,	 /* has an operand in memory, read or written */
	X86_TWO_LOADS = 256,	/* reads two operands in memory: cmps */
	X86_GATHER = 512,	/* reads an operand for each element */
	X86_FOR_WRITING = 1024, /* a prefetch for writing */
	X86_NEGATED = 2048,	/* jcc with a negated condition: jne, jae, ... */
	X86_EA = 4096,		/* ModRM has an operand in memory: mem is valid */
	X86_ADDRESS_ONLY = 8192 /* mem is not accessed: lea, nop, prefetch, clflush */
};

enum x86_fp {
	X86_FP_NONE,
	X86_FP_OTHER, /* compares, conversions, roundings, minima, transcendentals, ... */
	X86_FP_ADD,   /* and subtract */
	X86_FP_MUL,
	X86_FP_DIV,
	X86_FP_SQRT,
	X86_FP_FMA
};

#endif
