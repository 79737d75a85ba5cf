/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/tool/branch.h"

#include "pub_tool_threadstate.h"

#include "sim/tool/feed.h"
#include "sim/tool/note.h"
#include "sim/tool/record.h"
#include "sim/tool/sample.h"
#include "sim/tool/schedule.h"

static Addr next_insn(const struct block *b)
{
	return b->pc + b->len;
}

/* Does the next instruction begin in another line than this one ends in? */
static int crosses_line(const struct block *b)
{
	return model_line(next_insn(b)) != model_line(next_insn(b) - 1);
}

/* Does the block at start jump forward from its region to this address? */
static int leaves_region(Addr start, Addr to)
{
	return to > start && to / TOOL_REGION != start / TOOL_REGION;
}

static int block_leaves_region(const IRSB *in, Addr start)
{
	for (int i = 0; i < in->stmts_used; i++) {
		const IRStmt *const s = in->stmts[i];

		if (s->tag == Ist_Exit && leaves_region(start, s->Ist.Exit.dst->Ico.U64))
			return 1;
	}
	return in->next->tag == Iex_Const &&
	       leaves_region(start, in->next->Iex.Const.con->Ico.U64);
}

static void settle(void)
{
	tool_settle(VG_(get_running_tid)());
}

void branch_begin(struct block *b, const IRSB *in, Addr start)
{
	if (block_leaves_region(in, start))
		emit_if_last_bits(b, "settle", settle);
}

/* Returns the table of struct tool in which the current conditional branch is counted. */
static unsigned table_of(const struct block *b, int inverted)
{
	return (inverted ? TOOL_INVERTED : 0) | (crosses_line(b) ? TOOL_CROSSING : 0);
}

/* Returns the address that a constant is, or 0. */
static Addr constant(const IRExpr *e)
{
	return e->tag == Iex_Const ? e->Iex.Const.con->Ico.U64 : 0;
}

/*
 * The exit of a conditional branch. VEX may have inverted the condition, so that the exit
 * leads to the next instruction. If both ways lead to the same address, a negated
 * condition (jne) was inverted: VEX makes negated conditions positive.
 */
static void conditional(struct block *b, const IRStmt *exit, const IRSB *in)
{
	const Addr to = exit->Ist.Exit.dst->Ico.U64;
	const int same = constant(in->next) == to;
	const int inverted = same ? !!(b->insn.flags & X86_NEGATED) : to == next_insn(b);

	b->to[0] = constant(in->next);
	b->to[1] = to;
	feed_cond(b, emit_bit(b, exit->Ist.Exit.guard), table_of(b, inverted));
}

/* If when is 1, a string instruction ends: counts it and a line that begins after it. */
static void string_end(struct block *b, IRExpr *when, IRExpr *guard)
{
	emit_add(b, CTR_INSN, when);
	schedule_string_end(b, when);
	if (crosses_line(b))
		emit_add(b, CTR_I1_REF, when);
	feed_string_end(b, guard);
}

void branch_exit(struct block *b, const IRSB *in, const IRStmt *exit)
{
	const Addr to = exit->Ist.Exit.dst->Ico.U64;

	if (b->insn.kind == X86_JCC && exit->Ist.Exit.jk == Ijk_Boring) {
		conditional(b, exit, in);
		b->has_exit = 1;
	} else if ((b->insn.flags & X86_REP) && to == next_insn(b)) {
		string_end(b, emit_bit(b, exit->Ist.Exit.guard), exit->Ist.Exit.guard);
	}
	emit_pending(b);
	if (tool.sampling)
		sample_emit(b);
}

/* A conditional branch whose outcome VEX knew when it translated the code. */
static void known_outcome(struct block *b, int taken, Addr to)
{
	b->to[0] = b->to[1] = to;
	feed_cond(b, emit_const(taken), table_of(b, 0));
}

/* A block that ends without a branch: it goes on, faults, or leaves otherwise. */
static void no_branch(struct block *b, const IRSB *in, int goes_on)
{
	const int faults =
		in->jumpkind == Ijk_NoDecode ||
		(in->jumpkind >= Ijk_SigILL && in->jumpkind <= Ijk_SigFPE_IntOvf &&
		 in->jumpkind != Ijk_SigTRAP);

	if (in->jumpkind == Ijk_NoDecode && in->next->tag == Iex_Const)
		note_emit_undecoded(b, in->next->Iex.Const.con->Ico.U64);
	if (faults) {
		b->increment[CTR_INSN] -= b->increment[CTR_INSN] > 0 && b->len;
		return;
	}
	b->increment[CTR_I1_REF] += !goes_on || crosses_line(b);
}

void branch_end(struct block *b, const IRSB *in)
{
	const Addr to = constant(in->next);
	const int goes_on = to == next_insn(b);

	switch (b->insn.kind) {
	case X86_JMP:
	case X86_CALL:
	case X86_JMP_IND:
	case X86_CALL_IND:
	case X86_RET:
	case X86_SYSCALL:
		b->increment[CTR_I1_REF]++;
		if (!record_jump(b, in->next))
			feed_target(b, in->next);
		break;
	case X86_JCC:
		if (!b->has_exit)
			known_outcome(b, !goes_on, to);
		break;
	default:
		if (!(b->insn.flags & X86_REP))
			no_branch(b, in, goes_on);
		else if (goes_on)
			string_end(b, emit_const(1), NULL);
		break;
	}
}
