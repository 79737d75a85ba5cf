/* The rules of x86_decode(): each rule that matches adds to the result. */
#ifndef SIM_X86_TABLE_H
#define SIM_X86_TABLE_H

#include <stdint.h>

/* Elements of a floating-point instruction in 128 bits; twice as many in 256. */
enum x86_elem {
	ELEM_NONE,
	ELEM_ONE,
	ELEM_TWO,  /* in MMX registers */
	ELEM_PP,   /* by prefix: ps 4, pd 2, ss and sd 1 */
	ELEM_PS,   /* 4 */
	ELEM_PD,   /* 2 */
	ELEM_HADD, /* by prefix: 66: 2, F2: 4 */
	ELEM_W	   /* 2 with VEX.W, else 4 */
};

enum x86_form { FORM_ANY, FORM_REG, FORM_MEM };

/* Prefixes of SSE, as bits of pp. */
enum { PP_NONE = 1, PP_66 = 2, PP_F3 = 4, PP_F2 = 8 };

struct x86_rule {
	uint8_t map; /* before the opcode: 0: nothing; 1: 0F; 2: 0F 38; 3: 0F 3A */
	uint8_t first, last; /* range of opcodes */
	uint8_t regs;	     /* a bit for each value of ModRM.reg; 0: any */
	uint8_t form;	     /* enum x86_form */
	uint8_t rm;	     /* the whole ModRM byte; 0: any */
	uint8_t pp;	     /* PP_ bits; 0: any */
	uint8_t vex;	     /* 1: only with VEX */
	uint8_t elem_vec;    /* 1: X86_VEC, if there is more than one element */
	uint8_t elem;	     /* enum x86_elem */
	uint8_t fp;	     /* enum x86_fp */
	uint8_t kind;	     /* enum x86_kind */
	uint16_t flags;	     /* X86_REP ... */
};

/* Ends with a row whose last is 0. */
extern const struct x86_rule x86_rules[];

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
