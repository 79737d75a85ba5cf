/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Code that is written into a block: what is added to counters, calls of helpers. */
#ifndef SIM_TOOL_EMIT_H
#define SIM_TOOL_EMIT_H

#include "sim/tool/tool.h"

#include "pub_tool_machine.h"
#include "pub_tool_tooliface.h"

#include "sim/tool/model.h"
#include "sim/x86/decode.h"

/* An access that the model is yet to be told of. */
struct pending_access {
	enum access kind;
	IRExpr *addr;
	unsigned size;
};

enum { MAX_PENDING = 3 };

/* A block that is being written. */
struct block {
	IRSB *out;
	Addr pc; /* of the instruction at hand */
	unsigned len;
	struct x86_insn insn;
	unsigned npending;
	struct pending_access pending[MAX_PENDING];
	int has_exit; /* at hand is a conditional branch, and its exit was seen */
	/* Of the first load and store of the instruction at hand, or NULL. */
	IRExpr *read, *written;
	uint16_t increment[SIM_NCOUNTERS]; /* kind is yet to be added to each counter */
};

static inline void emit(struct block *b, IRStmt *s)
{
	addStmtToIRSB(b->out, s);
}

static inline IRExpr *emit_const(uint64_t v)
{
	return IRExpr_Const(IRConst_U64(v));
}

/* The value in a temporary. */
IRExpr *emit_value(struct block *b, IRType type, IRExpr *e);

/* 0 or 1, of a condition. */
IRExpr *emit_bit(struct block *b, IRExpr *condition);

IRExpr *emit_load(struct block *b, IRType type, const void *from);
void emit_store(struct block *b, void *to, IRExpr *value);

/* Add a 64-bit value to a counter, if it is asked for. */
void emit_add(struct block *b, enum sim_counter c, IRExpr *value);

/* Call fn, if guard (NULL: always). */
void emit_call(struct block *b, int regparms, const HChar *name, void *fn, IRExpr **args,
	       IRExpr *guard);

/* Tell the model of an access, in order; later, where there is no guard. */
void emit_access(struct block *b, enum access kind, IRExpr *addr, unsigned size,
		 IRExpr *guard);

/* All that is pending is done here. */
void emit_pending(struct block *b);

#endif
