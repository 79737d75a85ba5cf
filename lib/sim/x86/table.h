/* The rules that x86_decode() goes by. An instruction is what all rules that fit it say. */
#ifndef SIM_X86_TABLE_H
#define SIM_X86_TABLE_H

#include <stdint.h>

#include "sim/x86/kind.h"

/* How many elements an FP instruction works on, of 128 bits; twice as many of 256. */
enum x86_elem {
	ELEM_NONE,
	ELEM_ONE,
	ELEM_TWO,  /* of MMX registers */
	ELEM_PP,   /* as the prefix says: ps 4, pd 2, ss and sd 1 */
	ELEM_PS,   /* 4 */
	ELEM_PD,   /* 2 */
	ELEM_HADD, /* 66: 2, F2: 4 */
	ELEM_W	   /* VEX.W: 2, else 4 */
};

enum x86_form { FORM_ANY, FORM_REG, FORM_MEM };

/* Prefixes of SSE, as bits for pp. */
enum { PP_NONE = 1, PP_66 = 2, PP_F3 = 4, PP_F2 = 8 };

struct x86_rule {
	uint8_t map;	     /* 0: one byte; 1: 0F; 2: 0F 38; 3: 0F 3A */
	uint8_t first, last; /* opcodes */
	uint8_t regs;	     /* of ModRM.reg, a bit each; 0: all */
	uint8_t form;	     /* enum x86_form */
	uint8_t rm;	     /* the whole ModRM byte; 0: any */
	uint8_t pp;	     /* 0: any */
	uint8_t vex;	     /* with VEX alone */
	uint8_t elem_vec;    /* X86_VEC, if it works on more than one element */
	uint8_t elem;	     /* enum x86_elem */
	uint8_t fp;	     /* enum x86_fp */
	uint8_t kind;	     /* enum x86_kind */
	uint16_t flags;
};

/* Ends with a row whose last is 0. */
extern const struct x86_rule x86_rules[];

#endif
