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
	IRExpr *counts; /* where record.h counts the access; NULL: nowhere */
};

enum { MAX_PENDING = 3 };

struct block;

/* What generated code counts by instruction, besides its totals (record.h). */
struct emit_recorder {
	/* Counts what is pending in the block's increments, which are then 0. */
	void (*run)(struct block *b);
	/* The current instruction adds a 64-bit value to a counter. */
	void (*add)(struct block *b, enum sim_counter c, IRExpr *value);
	/* Returns where accesses of the current instruction are counted, or NULL. */
	IRExpr *(*counts)(struct block *b, enum access kind);
	/* Emit code around the call of a helper that reports an access to the model. */
	void (*before)(struct block *b, IRExpr *addr, unsigned size, IRExpr *guard);
	void (*after)(struct block *b, IRExpr *guard);
	/* A conditional branch, with its offset in a table of outcomes. */
	void (*branch)(struct block *b, IRExpr *offset, unsigned table);
};

extern const struct emit_recorder *emit_recorder; /* NULL: nothing is recorded */

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
	/* Where the code goes on after a conditional branch: [1] if it takes its exit. */
	Addr to[2];
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

/* Adds a 64-bit value to a count. */
void emit_increase(struct block *b, uint64_t *count, IRExpr *value);

/*
 * Adds a 64-bit value to a counter, if the counter is requested, for the current
 * instruction.
 */
void emit_add(struct block *b, enum sim_counter c, IRExpr *value);

/* Increments the count at an offset in a table of 8. */
void emit_outcome(struct block *b, const uint64_t *table, IRExpr *offset);

/* Calls fn, named name, if the condition guard holds (NULL: always). */
void emit_call(struct block *b, int regparms, const HChar *name, void *fn, IRExpr **args,
	       IRExpr *guard);

/* Reports an access to the model, in program order; delayed if it has no guard. */
void emit_access(struct block *b, enum access kind, IRExpr *addr, unsigned size,
		 IRExpr *guard);

/* Reports a load and then a store of the same bytes, as two calls of emit_access() do. */
void emit_modification(struct block *b, IRExpr *addr, unsigned size);

/* Adds to the counter sched16, which must be requested. */
void emit_add_time(struct block *b, IRExpr *value);

/* Calls fn, named name, if the last bit of a field of struct tool_words is set. */
void emit_if_last_bits(struct block *b, const HChar *name, void (*fn)(void));

/* Emits all pending accesses and additions to counters. */
void emit_pending(struct block *b);

#endif
