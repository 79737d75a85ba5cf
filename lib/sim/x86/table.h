/* The rules of x86_decode(): each rule that matches adds to the result. */
#ifndef SIM_X86_TABLE_H
#define SIM_X86_TABLE_H

#include <stdint.h>

#include "sim/x86/kind.h"

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

#endif
