/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/tool/feed.h"

#include "libvex_guest_amd64.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_vki.h"

#include "sim/model/model_fast.h"
#include "sim/tool/model.h"
#include "sim/tool/schedule.h"

void feed_fetch(struct block *b, Addr addr)
{
	if (model_needs_addresses())
		emit_access(b, ACCESS_FETCH, emit_const(addr), 0, NULL);
}

void feed_access(struct block *b, enum access kind, IRExpr *addr, unsigned size,
		 IRExpr *guard)
{
	if (model_needs_addresses())
		emit_access(b, kind, addr, size, guard);
}

void feed_modification(struct block *b, IRExpr *addr, unsigned size)
{
	if (model_needs_addresses())
		emit_modification(b, addr, size);
}

/* Returns the address of the current instruction's operand, from the registers. */
static IRExpr *address(struct block *b)
{
	enum { REGISTERS = offsetof(VexGuestAMD64State, guest_RAX) };
	const struct x86_mem *const m = &b->insn.mem;
	const uint64_t from = (int64_t)m->disp + (m->rip ? b->pc + b->len : 0);
	IRExpr *ea = emit_const(from);

	if (m->base >= 0)
		ea = emit_value(
			b, Ity_I64,
			IRExpr_Binop(Iop_Add64, ea,
				     emit_value(b, Ity_I64,
						IRExpr_Get(REGISTERS + 8 * m->base,
							   Ity_I64))));
	if (m->index >= 0) {
		IRExpr *const index = emit_value(
			b, Ity_I64, IRExpr_Get(REGISTERS + 8 * m->index, Ity_I64));
		IRExpr *const scaled =
			emit_value(b, Ity_I64,
				   IRExpr_Binop(Iop_Shl64, index,
						IRExpr_Const(IRConst_U8(m->scale))));
		ea = emit_value(b, Ity_I64, IRExpr_Binop(Iop_Add64, ea, scaled));
	}
	if (m->addr32)
		ea = emit_value(b, Ity_I64,
				IRExpr_Binop(Iop_And64, ea, emit_const(0xffffffff)));
	if (m->seg) {
		const Int at = m->seg == X86_SEG_FS
				       ? offsetof(VexGuestAMD64State, guest_FS_CONST)
				       : offsetof(VexGuestAMD64State, guest_GS_CONST);
		IRExpr *const base = emit_value(b, Ity_I64, IRExpr_Get(at, Ity_I64));
		ea = emit_value(b, Ity_I64, IRExpr_Binop(Iop_Add64, ea, base));
	}
	return ea;
}

static VG_REGPARM(2) void prefetch(Addr addr, UWord for_writing)
{
	if (VG_(am_is_valid_for_client)(addr, 1, VKI_PROT_READ))
		sim_prefetch(&model_sim, addr, (int)for_writing);
}

void feed_prefetch(struct block *b)
{
	if (!model_needs_addresses() || !(b->insn.flags & X86_EA))
		return;
	IRExpr *const ea = address(b);
	IRExpr *const writing = emit_const(!!(b->insn.flags & X86_FOR_WRITING));

	emit_pending(b);
	if (emit_recorder)
		emit_recorder->before(b, ea, 1, NULL);
	emit_call(b, 2, "prefetch", prefetch, mkIRExprVec_2(ea, writing), NULL);
	if (emit_recorder)
		emit_recorder->after(b, NULL);
	b->read = ea;
}

/*
 * The next states of the predictor (model_fast.h), each at the offset that the counter of
 * the state and the outcome has in a table of tool.branch; of the 8 bytes of an entry
 * only the first is used. The second table is for inverted outcomes.
 */
#define NEXT(i)                                             \
	{                                                   \
		((SIM_BP_NEXT >> 2 * (i)&3) * SIM_BP_SCALE) \
	}
#define NEXT_2(i)  NEXT(i), NEXT((i) + 1)
#define NEXT_I2(i) NEXT((i) + 1), NEXT(i)
static const uint8_t bp_next[2][8][8] = {
	{NEXT_2(0), NEXT_2(2), NEXT_2(4), NEXT_2(6)},
	{NEXT_I2(0), NEXT_I2(2), NEXT_I2(4), NEXT_I2(6)}};

static IRExpr *sum(struct block *b, IRExpr *x, IRExpr *y)
{
	return emit_value(b, Ity_I64, IRExpr_Binop(Iop_Add64, x, y));
}

/* Appends an outcome to the history. Returns the former history. */
static IRExpr *push_history(struct block *b, IRExpr *taken)
{
	IRExpr *const old = emit_load(b, Ity_I64, &model_sim.history);
	IRExpr *const shifted = sum(b, sum(b, old, old), taken);

	emit_store(b, &model_sim.history,
		   emit_value(b, Ity_I64,
			      IRExpr_Binop(Iop_And64, shifted,
					   emit_const(sim_bp_history(tool.machine)))));
	return old;
}

/*
 * Returns the predictor's index of the current branch, which is updated for its
 * outcome.
 */
static IRExpr *predictor_index(struct block *b, IRExpr *exits, unsigned table)
{
	IRExpr *const index = emit_const(sim_bp_index(tool.machine, b->pc));
	IRExpr *taken = exits;

	if (tool.machine->bp != BP_GSHARE)
		return index;
	if (table & TOOL_INVERTED)
		taken = emit_value(b, Ity_I64,
				   IRExpr_Binop(Iop_Xor64, exits, emit_const(1)));
	return emit_value(b, Ity_I64,
			  IRExpr_Binop(Iop_Xor64, index, push_history(b, taken)));
}

/* Does a request need the outcomes of conditional branches? */
static int needs_outcomes(void)
{
	return (tool.parts & SIM_BRANCHES) || tool_requested(CTR_BR_COND_TK) ||
	       tool_requested(CTR_I1_REF);
}

/* Is the total of outcomes requested? A recording counts them for each branch. */
static int are_outcomes_requested(void)
{
	const uint64_t counts = 1ULL << CTR_BR_COND | 1ULL << CTR_BR_COND_TK |
				1ULL << CTR_BR_MISP_TK | 1ULL << CTR_BR_MISP_NT |
				1ULL << CTR_I1_REF;

	return !!(tool.requested & counts);
}

/*
 * Predicts in generated code, as described in model_fast.h. One counter, by the state
 * that the branch found and its outcome, stands for all counters of conditional branches;
 * with the predictor off the state is always 0.
 */
void feed_cond(struct block *b, IRExpr *exits, unsigned table)
{
	if (!needs_outcomes()) {
		b->increment[CTR_BR_COND]++;
		return;
	}
	IRExpr *offset = emit_value(
		b, Ity_I64, IRExpr_Binop(Iop_Shl64, exits, IRExpr_Const(IRConst_U8(3))));

	if (tool.parts & SIM_BRANCHES) {
		IRExpr *const at = sum(b, emit_load(b, Ity_I64, &model_sim.bp),
				       predictor_index(b, exits, table));
		IRExpr *const state =
			emit_value(b, Ity_I8, IRExpr_Load(Iend_LE, Ity_I8, at));

		offset = sum(b, emit_value(b, Ity_I64, IRExpr_Unop(Iop_8Uto64, state)),
			     offset);
		IRExpr *const next =
			sum(b, offset, emit_const((Addr)bp_next[table & TOOL_INVERTED]));
		emit(b, IRStmt_Store(Iend_LE, at,
				     emit_value(b, Ity_I8,
						IRExpr_Load(Iend_LE, Ity_I8, next))));
	}
	if (are_outcomes_requested())
		emit_outcome(b, tool.branch[table], offset);
	if (emit_recorder)
		emit_recorder->branch(b, offset, table);
}

static VG_REGPARM(2) void indirect(Addr pc, Addr target)
{
	sim_indirect(&model_sim, pc, target);
}

static VG_REGPARM(1) void call(Addr return_address)
{
	sim_call(&model_sim, return_address);
}

static VG_REGPARM(3) void call_indirect(Addr pc, Addr target, Addr return_address)
{
	sim_indirect(&model_sim, pc, target);
	sim_call(&model_sim, return_address);
}

static VG_REGPARM(1) void return_to(Addr target)
{
	sim_return(&model_sim, target);
}

void feed_target(struct block *b, IRExpr *target)
{
	IRExpr *const pc = emit_const(b->pc), *const next = emit_const(b->pc + b->len);

	if (!(tool.parts & SIM_TARGETS))
		return;
	if (b->insn.kind == X86_CALL)
		emit_call(b, 1, "call", call, mkIRExprVec_1(next), NULL);
	else if (b->insn.kind == X86_CALL_IND)
		emit_call(b, 3, "call_indirect", call_indirect,
			  mkIRExprVec_3(pc, target, next), NULL);
	else if (b->insn.kind == X86_JMP_IND)
		emit_call(b, 2, "indirect", indirect, mkIRExprVec_2(pc, target), NULL);
	else if (b->insn.kind == X86_RET)
		emit_call(b, 1, "return", return_to, mkIRExprVec_1(target), NULL);
}

/*
 * Returns the condition that an element is not in the word of the last one; n: index of
 * its operand in model_string.
 */
static IRExpr *is_other_word(struct block *b, unsigned n, IRExpr *addr)
{
	IRExpr *const word = emit_value(
		b, Ity_I64, IRExpr_Binop(Iop_Shr64, addr, IRExpr_Const(IRConst_U8(3))));

	return emit_value(b, Ity_I1,
			  IRExpr_Binop(Iop_CmpNE64, word,
				       emit_load(b, Ity_I64, &model_string.word[n])));
}

/* Counts an element of size bytes that is in another word than the last one. */
static VG_REGPARM(3) void string_element(Addr addr, UWord size, UWord n)
{
	const int writes = n == 2;

	model_string.word[n] = addr / 8;
	tool.count[writes ? CTR_STORE : CTR_LOAD]++;
	tool.count[writes ? CTR_D1_WR : CTR_D1_RD]++;
	tool.count[writes ? CTR_UNAL_ST : CTR_UNAL_LD] += !!(addr & (size - 1));
	tool.count[CTR_SCHED16] += schedule_string_word[writes];
	if (!model_needs_addresses())
		return;
	if (writes)
		sim_store_fast(&model_sim, addr, size);
	else
		sim_load_fast(&model_sim, addr, size);
}

static void string_end(void)
{
	model_string = MODEL_NO_STRING;
}

static int needs_strings(void)
{
	const uint64_t counts = 1ULL << CTR_LOAD | 1ULL << CTR_STORE |
				1ULL << CTR_UNAL_LD | 1ULL << CTR_UNAL_ST |
				1ULL << CTR_SCHED16;

	return model_needs_addresses() || (tool.requested & counts);
}

void feed_string(struct block *b, enum access kind, int second, IRExpr *addr,
		 unsigned size)
{
	const unsigned n = kind == ACCESS_STORE ? 2 : second;

	if (!needs_strings())
		return;
	emit_pending(b);
	IRExpr *const guard = is_other_word(b, n, addr);
	if (emit_recorder)
		emit_recorder->before(b, addr, size, guard);
	emit_call(b, 3, "string", string_element,
		  mkIRExprVec_3(addr, emit_const(size), emit_const(n)), guard);
	if (emit_recorder)
		emit_recorder->after(b, guard);
}

void feed_string_end(struct block *b, IRExpr *guard)
{
	if (needs_strings())
		emit_call(b, 0, "string_end", string_end, mkIRExprVec_0(), guard);
}
