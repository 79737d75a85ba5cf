/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Adds intermediate code (VEX IR) to a block, for counters and calls of helpers. */
#ifndef SIM_TOOL_EMIT_H
#define SIM_TOOL_EMIT_H

#include "sim/tool/tool.h"

#include "libvex_guest_amd64.h"
#include "pub_tool_machine.h"
#include "pub_tool_tooliface.h"

#include "sim/tool/model.h"
#include "sim/x86/decode.h"

/* An access for which the call of the model is not yet emitted. */
struct pending_access {
	enum access kind;
	IRExpr *addr;
	unsigned size;
};

enum { MAX_PENDING = 3 };

/* The offset of struct tool_words in the thread's state: its first shadow registers. */
enum { EMIT_WORDS = sizeof(VexGuestAMD64State) };

/* A block of code that is being instrumented. */
struct block {
	IRSB *out;
	Addr pc;      /* address of the current instruction */
	unsigned len; /* its bytes */
	struct x86_insn insn;
	unsigned npending;
	struct pending_access pending[MAX_PENDING];
	int has_exit; /* an exit of the current conditional branch was seen */
	/* Addresses of the current instruction's first load and store, or NULL. */
	IRExpr *read, *written;
	uint16_t increment[SIM_NCOUNTERS]; /* pending additions to each counter */
};

/* Adds a statement. */
static inline void emit(struct block *b, IRStmt *s)
{
	addStmtToIRSB(b->out, s);
}

/* Returns a 64-bit constant. */
static inline IRExpr *emit_const(uint64_t v)
{
	return IRExpr_Const(IRConst_U64(v));
}

/* Assigns e to a new temporary. Returns the temporary. */
IRExpr *emit_value(struct block *b, IRType type, IRExpr *e);

/* Returns a condition (Ity_I1) as a 64-bit 0 or 1. */
IRExpr *emit_bit(struct block *b, IRExpr *condition);

/* Loads from, and stores to, a fixed address of the tool's own memory. */
IRExpr *emit_load(struct block *b, IRType type, const void *from);
void emit_store(struct block *b, void *to, IRExpr *value);

/* Adds a 64-bit value to a counter, if the counter is requested. */
void emit_add(struct block *b, enum sim_counter c, IRExpr *value);

/* Calls fn, named name, if the condition guard holds (NULL: always). */
void emit_call(struct block *b, int regparms, const HChar *name, void *fn, IRExpr **args,
	       IRExpr *guard);

/* Reports an access to the model, in program order; delayed if it has no guard. */
void emit_access(struct block *b, enum access kind, IRExpr *addr, unsigned size,
		 IRExpr *guard);

/* Adds to the counter sched16, which must be requested. */
void emit_add_time(struct block *b, IRExpr *value);

/* Calls fn, named name, if the last bit of a field of struct tool_words is set. */
void emit_if_last_bits(struct block *b, const HChar *name, void (*fn)(void));

/* Emits all pending accesses and additions to counters. */
void emit_pending(struct block *b);

#endif
