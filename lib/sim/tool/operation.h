/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kind of each operation of the intermediate code, for schedules. */
#ifndef SIM_TOOL_OPERATION_H
#define SIM_TOOL_OPERATION_H

#include "sim/tool/tool.h"

#include "libvex_ir.h"

struct operation {
	uint8_t op;    /* enum machine_op; MOP_NOPS: only moves or extends values */
	uint8_t bytes; /* of the vectors that it works on; 0: it is scalar */
	uint8_t elem;  /* bytes of an element of these vectors */
};

/* Returns the kind of op; unary: it has one operand; result: the type of its result. */
struct operation operation_find(IROp op, int unary, IRType result);

#endif
