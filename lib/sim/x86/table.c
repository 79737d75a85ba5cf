#include "sim/x86/table.h"

/*
 * Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2,
 * appendix A (opcode maps); AMD64 Architecture Programmer's Manual, volume 3, for 0F 0D.
 */
#define OP(m, a, z) .map = (m), .first = (a), .last = (z)
#define LOAD	    .flags = X86_LOADS
#define STORE	    .flags = X86_STORES
#define RMW	    .flags = X86_LOADS | X86_STORES
#define MEM	    .form = FORM_MEM
#define REG	    .form = FORM_REG
#define R(n)	    (1 << (n))
#define KIND(k)	    .kind = X86_##k
#define FP(f, e)    .fp = X86_FP_##f, .elem = ELEM_##e
#define FPVEC(f, e) FP(f, e), .elem_vec = 1
#define VEC(m, a, z)                          \
	{                                     \
		OP(m, a, z), .flags = X86_VEC \
	}

/* add, or, adc, sbb, and, sub, xor at o: to memory, from memory */
#define ALU(o)                                     \
	{OP(0, o, (o) + 1), MEM, RMW},             \
	{                                          \
		OP(0, (o) + 2, (o) + 3), MEM, LOAD \
	}

/* The x87 arithmetic of opcode o with operand form f; com and comp are in X87_COM */
#define X87(o, f)                                                           \
	{OP(0, o, o), .form = f, .regs = R(0) | R(4) | R(5), FP(ADD, ONE)}, \
		{OP(0, o, o), .form = f, .regs = R(1), FP(MUL, ONE)},       \
	{                                                                   \
		OP(0, o, o), .form = f, .regs = R(6) | R(7), FP(DIV, ONE)   \
	}
#define X87_COM(o, f)                                                       \
	{                                                                   \
		OP(0, o, o), .form = f, .regs = R(2) | R(3), FP(OTHER, ONE) \
	}

const struct x86_rule x86_rules[] = {
	ALU(0x00),
	ALU(0x08),
	ALU(0x10),
	ALU(0x18),
	ALU(0x20),
	ALU(0x28),
	ALU(0x30),
	{OP(0, 0x38, 0x3b), MEM, LOAD}, /* cmp */
	{OP(0, 0x50, 0x57), STORE},	/* push */
	{OP(0, 0x58, 0x5f), LOAD},	/* pop */
	{OP(0, 0x63, 0x63), MEM, LOAD}, /* movsxd */
	{OP(0, 0x68, 0x68), STORE},	/* push */
	{OP(0, 0x69, 0x69), KIND(MULDIV)},
	{OP(0, 0x69, 0x69), MEM, LOAD},
	{OP(0, 0x6a, 0x6a), STORE},
	{OP(0, 0x6b, 0x6b), KIND(MULDIV)},
	{OP(0, 0x6b, 0x6b), MEM, LOAD},
	{OP(0, 0x6c, 0x6d), .flags = X86_STORES | X86_REP}, /* ins */
	{OP(0, 0x6e, 0x6f), .flags = X86_LOADS | X86_REP},  /* outs */
	{OP(0, 0x70, 0x7f), KIND(JCC)},
	{OP(0, 0x80, 0x83), MEM, .regs = 0x7f, RMW},
	{OP(0, 0x80, 0x83), MEM, .regs = R(7), LOAD},
	{OP(0, 0x84, 0x85), MEM, LOAD},					      /* test */
	{OP(0, 0x86, 0x87), MEM, .flags = X86_LOADS | X86_STORES | X86_LOCK}, /* xchg */
	{OP(0, 0x88, 0x89), MEM, STORE},
	{OP(0, 0x8a, 0x8b), MEM, LOAD},
	{OP(0, 0x8c, 0x8c), MEM, STORE},
	{OP(0, 0x8d, 0x8d), .flags = X86_ADDRESS_ONLY}, /* lea */
	{OP(0, 0x8e, 0x8e), MEM, LOAD},
	{OP(0, 0x8f, 0x8f), MEM, .flags = X86_LOADS | X86_STORES}, /* pop */
	{OP(0, 0x8f, 0x8f), REG, LOAD},
	{OP(0, 0x90, 0x90), KIND(NOP)},
	{OP(0, 0x9c, 0x9c), STORE},
	{OP(0, 0x9d, 0x9d), LOAD},
	{OP(0, 0xa0, 0xa1), LOAD},
	{OP(0, 0xa2, 0xa3), STORE},
	{OP(0, 0xa4, 0xa5), .flags = X86_LOADS | X86_STORES | X86_REP},
	{OP(0, 0xa6, 0xa7), .flags = X86_LOADS | X86_TWO_LOADS | X86_REP},
	{OP(0, 0xaa, 0xab), .flags = X86_STORES | X86_REP},
	{OP(0, 0xac, 0xaf), .flags = X86_LOADS | X86_REP},
	{OP(0, 0xc0, 0xc1), MEM, RMW},
	{OP(0, 0xc2, 0xc3), KIND(RET), LOAD},
	{OP(0, 0xc6, 0xc7), MEM, STORE},
	{OP(0, 0xc8, 0xc8), STORE},
	{OP(0, 0xc9, 0xc9), LOAD},
	{OP(0, 0xcd, 0xcd), KIND(SYSCALL)},
	{OP(0, 0xd0, 0xd3), MEM, RMW},
	{OP(0, 0xd7, 0xd7), LOAD},
	{OP(0, 0xe0, 0xe3), KIND(JCC)},
	{OP(0, 0xe8, 0xe8), KIND(CALL), STORE},
	{OP(0, 0xe9, 0xe9), KIND(JMP)},
	{OP(0, 0xeb, 0xeb), KIND(JMP)},
	{OP(0, 0xf6, 0xf7), .regs = 0xf0, KIND(MULDIV)},
	{OP(0, 0xf6, 0xf7), MEM, .regs = 0xf3, LOAD},
	{OP(0, 0xf6, 0xf7), MEM, .regs = R(2) | R(3), RMW},
	{OP(0, 0xfe, 0xff), MEM, .regs = R(0) | R(1), RMW},
	{OP(0, 0xff, 0xff), .regs = R(2), KIND(CALL_IND), STORE},
	{OP(0, 0xff, 0xff), MEM, .regs = R(2) | R(4) | R(6), LOAD},
	{OP(0, 0xff, 0xff), .regs = R(4), KIND(JMP_IND)},
	{OP(0, 0xff, 0xff), .regs = R(6), STORE},

	/* x87. Loads and stores that convert from or to integers count as conversions. */
	X87(0xd8, FORM_ANY),
	X87_COM(0xd8, FORM_ANY),
	{OP(0, 0xd9, 0xd9), REG, .rm = 0xd0, KIND(NOP)},
	{OP(0, 0xd9, 0xd9), REG, .rm = 0xe0, FP(OTHER, ONE)},	/* fchs */
	{OP(0, 0xd9, 0xd9), REG, .rm = 0xe1, FP(OTHER, ONE)},	/* fabs */
	{OP(0, 0xd9, 0xd9), REG, .rm = 0xe4, FP(OTHER, ONE)},	/* ftst */
	{OP(0, 0xd9, 0xd9), REG, .rm = 0xf0, FP(OTHER, ONE)},	/* f2xm1 */
	{OP(0, 0xd9, 0xd9), REG, .rm = 0xf1, FP(OTHER, ONE)},	/* fyl2x */
	{OP(0, 0xd9, 0xd9), REG, .rm = 0xf2, FP(OTHER, ONE)},	/* fptan */
	{OP(0, 0xd9, 0xd9), REG, .rm = 0xf3, FP(OTHER, ONE)},	/* fpatan */
	{OP(0, 0xd9, 0xd9), REG, .rm = 0xf4, FP(OTHER, ONE)},	/* fxtract */
	{OP(0, 0xd9, 0xd9), REG, .rm = 0xf5, FP(OTHER, ONE)},	/* fprem1 */
	{OP(0, 0xd9, 0xd9), REG, .regs = R(7), FP(OTHER, ONE)}, /* fprem ... fcos */
	{OP(0, 0xd9, 0xd9), REG, .rm = 0xfa, FP(SQRT, ONE)},
	{OP(0, 0xd9, 0xd9), MEM, .regs = R(2) | R(3) | R(6) | R(7), STORE},
	{OP(0, 0xd9, 0xd9), MEM, .regs = R(0) | R(4) | R(5), LOAD},
	X87(0xda, FORM_MEM),
	X87_COM(0xda, FORM_MEM),
	{OP(0, 0xda, 0xda), REG, .rm = 0xe9, FP(OTHER, ONE)},	       /* fucompp */
	{OP(0, 0xdb, 0xdb), REG, .regs = R(5) | R(6), FP(OTHER, ONE)}, /* fucomi, fcomi */
	{OP(0, 0xdb, 0xdb), MEM, .regs = 0x0f, FP(OTHER, ONE)},	       /* fild, fist */
	{OP(0, 0xdb, 0xdb), MEM, .regs = R(0) | R(5), LOAD},
	{OP(0, 0xdb, 0xdb), MEM, .regs = R(1) | R(2) | R(3) | R(7), STORE},
	X87(0xdc, FORM_ANY),
	X87_COM(0xdc, FORM_ANY),
	{OP(0, 0xdd, 0xdd), REG, .regs = R(4) | R(5), FP(OTHER, ONE)}, /* fucom */
	{OP(0, 0xdd, 0xdd), MEM, .regs = R(1), FP(OTHER, ONE)},	       /* fisttp */
	{OP(0, 0xdd, 0xdd), MEM, .regs = R(0) | R(4), LOAD},
	{OP(0, 0xdd, 0xdd), MEM, .regs = R(1) | R(2) | R(3) | R(6) | R(7), STORE},
	X87(0xde, FORM_ANY),
	X87_COM(0xde, FORM_ANY),
	{OP(0, 0xdf, 0xdf), REG, .regs = R(5) | R(6), FP(OTHER, ONE)}, /* fucomip, ... */
	{OP(0, 0xdf, 0xdf), MEM, FP(OTHER, ONE)}, /* fild, fbld, ... */
	{OP(0, 0xdf, 0xdf), MEM, .regs = R(0) | R(4) | R(5), LOAD},
	{OP(0, 0xdf, 0xdf), MEM, .regs = R(1) | R(2) | R(3) | R(6) | R(7), STORE},
	{OP(0, 0xd8, 0xd8), MEM, LOAD},
	{OP(0, 0xda, 0xda), MEM, LOAD},
	{OP(0, 0xdc, 0xdc), MEM, LOAD},
	{OP(0, 0xde, 0xde), MEM, LOAD},

	{OP(1, 0x05, 0x05), KIND(SYSCALL)},
	{OP(1, 0x0d, 0x0d), MEM, KIND(PREFETCH), .flags = X86_ADDRESS_ONLY},
	{OP(1, 0x0d, 0x0d), MEM, .regs = R(1) | R(2), .flags = X86_FOR_WRITING},
	{OP(1, 0x0d, 0x0d), REG, KIND(NOP)},
	{OP(1, 0x18, 0x18), MEM, .regs = 0x0f, KIND(PREFETCH), .flags = X86_ADDRESS_ONLY},
	{OP(1, 0x18, 0x18), MEM, .regs = 0xf0, KIND(NOP), .flags = X86_ADDRESS_ONLY},
	{OP(1, 0x18, 0x18), REG, KIND(NOP)},
	{OP(1, 0x19, 0x1d), KIND(NOP), .flags = X86_ADDRESS_ONLY},
	{OP(1, 0x1e, 0x1e), .pp = PP_NONE | PP_66 | PP_F2, KIND(NOP),
	 .flags = X86_ADDRESS_ONLY},
	{OP(1, 0x1f, 0x1f), KIND(NOP), .flags = X86_ADDRESS_ONLY},
	{OP(1, 0x34, 0x34), KIND(SYSCALL)},
	{OP(1, 0x2a, 0x2a), .pp = PP_NONE | PP_66, FPVEC(OTHER, TWO)},
	{OP(1, 0x2a, 0x2a), .pp = PP_F3 | PP_F2, FP(OTHER, ONE)},
	{OP(1, 0x2c, 0x2d), .pp = PP_NONE | PP_66, FPVEC(OTHER, TWO)},
	{OP(1, 0x2c, 0x2d), .pp = PP_F3 | PP_F2, FP(OTHER, ONE)},
	{OP(1, 0x2e, 0x2f), FP(OTHER, ONE)},
	{OP(1, 0x51, 0x51), FPVEC(SQRT, PP)},
	{OP(1, 0x52, 0x53), FPVEC(OTHER, PP)},
	VEC(1, 0x54, 0x57),
	{OP(1, 0x58, 0x58), FPVEC(ADD, PP)},
	{OP(1, 0x59, 0x59), FPVEC(MUL, PP)},
	{OP(1, 0x5a, 0x5a), .pp = PP_NONE | PP_66, FPVEC(OTHER, PD)},
	{OP(1, 0x5a, 0x5a), .pp = PP_F3 | PP_F2, FP(OTHER, ONE)},
	{OP(1, 0x5b, 0x5b), FPVEC(OTHER, PS)},
	{OP(1, 0x5c, 0x5c), FPVEC(ADD, PP)},
	{OP(1, 0x5d, 0x5d), FPVEC(OTHER, PP)},
	{OP(1, 0x5e, 0x5e), FPVEC(DIV, PP)},
	{OP(1, 0x5f, 0x5f), FPVEC(OTHER, PP)},
	VEC(1, 0x64, 0x66),
	VEC(1, 0x71, 0x72),
	{OP(1, 0x73, 0x73), .regs = R(2) | R(6),
	 .flags = X86_VEC}, /* not psrldq, pslldq */
	VEC(1, 0x74, 0x76),
	{OP(1, 0x7c, 0x7d), FPVEC(ADD, HADD)},
	{OP(1, 0x80, 0x8f), KIND(JCC)},
	{OP(1, 0x90, 0x9f), MEM, STORE}, /* setcc */
	{OP(1, 0xa0, 0xa0), STORE},
	{OP(1, 0xa1, 0xa1), LOAD},
	{OP(1, 0xa3, 0xa3), MEM, LOAD}, /* bt */
	{OP(1, 0xa4, 0xa5), MEM, RMW},	/* shld */
	{OP(1, 0xa8, 0xa8), STORE},
	{OP(1, 0xa9, 0xa9), LOAD},
	{OP(1, 0xab, 0xad), MEM, RMW}, /* bts, shrd */
	{OP(1, 0xae, 0xae), MEM, .regs = R(0) | R(3) | R(4) | R(6), .pp = PP_NONE, STORE},
	{OP(1, 0xae, 0xae), MEM, .regs = R(1) | R(2) | R(5), .pp = PP_NONE, LOAD},
	{OP(1, 0xae, 0xae), MEM, .regs = R(7), .flags = X86_ADDRESS_ONLY}, /* clflush */
	{OP(1, 0xae, 0xae), MEM, .regs = R(6), .pp = PP_66,
	 .flags = X86_ADDRESS_ONLY}, /* clwb */
	{OP(1, 0xae, 0xae), REG, .regs = R(5) | R(6) | R(7), .pp = PP_NONE, KIND(SYNC)},
	{OP(1, 0xaf, 0xaf), KIND(MULDIV)},
	{OP(1, 0xaf, 0xaf), MEM, LOAD},
	{OP(1, 0xb0, 0xb1), MEM, .flags = X86_LOADS | X86_STORES | X86_CMPXCHG},
	{OP(1, 0xb3, 0xb3), MEM, RMW},	/* btr */
	{OP(1, 0xb6, 0xb7), MEM, LOAD}, /* movzx */
	{OP(1, 0xba, 0xba), MEM, .regs = R(4), LOAD},
	{OP(1, 0xba, 0xba), MEM, .regs = R(5) | R(6) | R(7), RMW},
	{OP(1, 0xbb, 0xbb), MEM, RMW},
	{OP(1, 0xbe, 0xbf), MEM, LOAD},
	{OP(1, 0xc0, 0xc1), MEM, RMW}, /* xadd */
	{OP(1, 0xc2, 0xc2), FPVEC(OTHER, PP)},
	{OP(1, 0xc3, 0xc3), MEM, STORE}, /* movnti */
	{OP(1, 0xc7, 0xc7), MEM, .regs = R(1),
	 .flags = X86_LOADS | X86_STORES | X86_CMPXCHG},
	{OP(1, 0xc7, 0xc7), MEM, .regs = R(4) | R(5), STORE}, /* xsavec, xsaves */
	{OP(1, 0xc7, 0xc7), MEM, .regs = R(3), LOAD},	      /* xrstors */
	{OP(1, 0xd0, 0xd0), FPVEC(ADD, HADD)},
	VEC(1, 0xd1, 0xd5),
	VEC(1, 0xd8, 0xe5),
	{OP(1, 0xe6, 0xe6), FPVEC(OTHER, PD)},
	VEC(1, 0xe8, 0xef),
	VEC(1, 0xf1, 0xf6),
	VEC(1, 0xf8, 0xfe),

	VEC(2, 0x01, 0x0b),
	{OP(2, 0x0e, 0x0f), .vex = 1, .flags = X86_VEC}, /* vtestps */
	{OP(2, 0x13, 0x13), .vex = 1, FPVEC(OTHER, PS)}, /* vcvtph2ps */
	VEC(2, 0x17, 0x17),
	VEC(2, 0x1c, 0x1e),
	VEC(2, 0x28, 0x29),
	VEC(2, 0x37, 0x41),
	{OP(2, 0x45, 0x47), .vex = 1, .flags = X86_VEC}, /* vpsrlvd ... */
	{OP(2, 0x90, 0x93), .vex = 1, .flags = X86_GATHER | X86_LOADS},
	{OP(2, 0x96, 0x98), .vex = 1, FPVEC(FMA, W)},
	{OP(2, 0x99, 0x99), .vex = 1, FP(FMA, ONE)},
	{OP(2, 0x9a, 0x9a), .vex = 1, FPVEC(FMA, W)},
	{OP(2, 0x9b, 0x9b), .vex = 1, FP(FMA, ONE)},
	{OP(2, 0x9c, 0x9c), .vex = 1, FPVEC(FMA, W)},
	{OP(2, 0x9d, 0x9d), .vex = 1, FP(FMA, ONE)},
	{OP(2, 0x9e, 0x9e), .vex = 1, FPVEC(FMA, W)},
	{OP(2, 0x9f, 0x9f), .vex = 1, FP(FMA, ONE)},
	{OP(2, 0xa6, 0xa8), .vex = 1, FPVEC(FMA, W)},
	{OP(2, 0xa9, 0xa9), .vex = 1, FP(FMA, ONE)},
	{OP(2, 0xaa, 0xaa), .vex = 1, FPVEC(FMA, W)},
	{OP(2, 0xab, 0xab), .vex = 1, FP(FMA, ONE)},
	{OP(2, 0xac, 0xac), .vex = 1, FPVEC(FMA, W)},
	{OP(2, 0xad, 0xad), .vex = 1, FP(FMA, ONE)},
	{OP(2, 0xae, 0xae), .vex = 1, FPVEC(FMA, W)},
	{OP(2, 0xaf, 0xaf), .vex = 1, FP(FMA, ONE)},
	{OP(2, 0xb6, 0xb8), .vex = 1, FPVEC(FMA, W)},
	{OP(2, 0xb9, 0xb9), .vex = 1, FP(FMA, ONE)},
	{OP(2, 0xba, 0xba), .vex = 1, FPVEC(FMA, W)},
	{OP(2, 0xbb, 0xbb), .vex = 1, FP(FMA, ONE)},
	{OP(2, 0xbc, 0xbc), .vex = 1, FPVEC(FMA, W)},
	{OP(2, 0xbd, 0xbd), .vex = 1, FP(FMA, ONE)},
	{OP(2, 0xbe, 0xbe), .vex = 1, FPVEC(FMA, W)},
	{OP(2, 0xbf, 0xbf), .vex = 1, FP(FMA, ONE)},
	{OP(2, 0xf6, 0xf6), .vex = 1, .pp = PP_F2, KIND(MULDIV)}, /* mulx */

	{OP(3, 0x08, 0x08), FPVEC(OTHER, PS)}, /* round */
	{OP(3, 0x09, 0x09), FPVEC(OTHER, PD)},
	{OP(3, 0x0a, 0x0b), FP(OTHER, ONE)},
	{OP(3, 0x1d, 0x1d), .vex = 1, FPVEC(OTHER, PS)}, /* vcvtps2ph */
	{OP(3, 0x40, 0x40), FPVEC(OTHER, PS)},		 /* dpps */
	{OP(3, 0x41, 0x41), FPVEC(OTHER, PD)},
	VEC(3, 0x42, 0x42),
	VEC(3, 0x60, 0x63),
	{.last = 0},
};
