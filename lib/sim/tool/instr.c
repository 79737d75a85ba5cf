/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/tool/instr.h"

#include "libvex_guest_amd64.h"
#include "pub_tool_libcbase.h"

#include "sim/tool/branch.h"
#include "sim/tool/data.h"
#include "sim/tool/emit.h"
#include "sim/tool/exact.h"
#include "sim/tool/feed.h"
#include "sim/tool/record.h"
#include "sim/tool/sample.h"
#include "sim/tool/schedule.h"

/* VEX presents the five instructions of a client request as one long instruction. */
enum { MAX_INSTRUCTION = 15, REQUEST_INSTRUCTIONS = 5 };

/* Counts what follows from the instruction's bytes, once for each execution. */
static void count_kind(struct block *b)
{
	static const enum sim_counter by_kind[] = {
		[X86_JMP] = CTR_BR_DIR,	    [X86_CALL] = CTR_BR_DIR,
		[X86_JMP_IND] = CTR_BR_IND, [X86_CALL_IND] = CTR_BR_IND,
		[X86_RET] = CTR_BR_RET,	    [X86_SYSCALL] = CTR_SYSCALL,
		[X86_NOP] = CTR_NOP,	    [X86_PREFETCH] = CTR_PREFETCH,
		[X86_SYNC] = CTR_SYNC,	    [X86_MULDIV] = CTR_INT_MULDIV,
	};
	static const enum sim_counter by_fp[] = {
		[X86_FP_ADD] = CTR_FP_ADD, [X86_FP_MUL] = CTR_FP_MUL,
		[X86_FP_DIV] = CTR_FP_DIV, [X86_FP_SQRT] = CTR_FP_SQRT,
		[X86_FP_FMA] = CTR_FP_FMA,
	};

	/* feed.c counts conditional branches, with their outcome. */
	if (b->insn.kind != X86_PLAIN && b->insn.kind != X86_JCC)
		b->increment[by_kind[b->insn.kind]]++;
	if (b->insn.fp) {
		b->increment[CTR_FP]++;
		b->increment[CTR_FP_OPS] += b->insn.fp_ops;
	}
	if (b->insn.fp > X86_FP_OTHER)
		b->increment[by_fp[b->insn.fp]]++;
	b->increment[CTR_VEC] += !!(b->insn.flags & X86_VEC);
	b->increment[CTR_SC] += !!(b->insn.flags & X86_LOCK);
}

static unsigned instructions(const struct block *b)
{
	return b->len > MAX_INSTRUCTION ? REQUEST_INSTRUCTIONS : 1;
}

/* branch.c counts a string instruction with rep, at its end. */
static void count_insn(struct block *b)
{
	if (b->insn.flags & X86_REP)
		return;
	b->increment[CTR_INSN] += instructions(b);
	count_kind(b);
}

/* Fetches the lines of the instruction; last: the line fetched before. */
static void fetch(struct block *b, int is_first, Addr last)
{
	const Addr line = model_line(b->pc), end = model_line(b->pc + b->len - 1);

	if (is_first || line != last)
		feed_fetch(b, b->pc);
	b->increment[CTR_I1_REF] += !is_first && line != last;
	if (end != line)
		feed_fetch(b, end);
	b->increment[CTR_I1_REF] += end != line;
}

/*
 * Keeps what model.c takes for the page of the last fetch right where a block fetches
 * from a further page of code: the instruction pointer, which VEX need not store here,
 * and an instruction that lies in both pages.
 */
static void mark_page(struct block *b, Addr last)
{
	const Addr end = b->pc + b->len - 1;

	if (model_straddle.pc == b->pc)
		model_straddle.pc = 0;
	if (model_same_page(last, end))
		return;
	emit(b, IRStmt_Put(offsetof(VexGuestAMD64State, guest_RIP), emit_const(b->pc)));
	if (model_same_page(b->pc, end))
		return;
	emit_store(b, &model_straddle.pc, emit_const(b->pc));
	emit_store(b, &model_straddle.end, emit_const(end));
}

static void begin_insn(struct block *b, const IRStmt *mark, int is_first)
{
	const Addr last = model_line(b->pc + b->len - 1);

	record_instruction(b);
	b->pc = mark->Ist.IMark.addr;
	b->len = mark->Ist.IMark.len;
	b->read = b->written = NULL;
	b->has_exit = 0;
	VG_(memset)(&b->insn, 0, sizeof b->insn);
	if (!b->len)
		return;
	x86_decode((const uint8_t *)b->pc, b->len, &b->insn);
	count_insn(b);
	fetch(b, is_first, last);
	mark_page(b, is_first ? b->pc : last);
	if (b->insn.kind == X86_PREFETCH)
		feed_prefetch(b);
}

/* Emits all that is pending, then the check whether a sample is due. */
static void end_insn(struct block *b)
{
	if (!tool.sampling)
		return;
	emit_pending(b);
	sample_emit(b);
}

static void statement(struct block *b, struct data *d, const IRSB *in, IRStmt *s)
{
	if (s->tag == Ist_Exit) {
		branch_exit(b, in, s);
		emit(b, s);
		return;
	}
	emit(b, s);
	data_statement(b, d, s);
}

/* Instruments the instruction with IMark i. Returns the index of the next IMark. */
static int insn(struct block *b, const IRSB *in, int i, int is_first)
{
	struct data d;
	int end = i + 1;

	while (end < in->stmts_used && in->stmts[end]->tag != Ist_IMark)
		end++;
	begin_insn(b, in->stmts[i], is_first);
	data_begin(b, &d, in, i + 1, end);
	schedule_insn(b, instructions(b), i + 1, end);
	emit(b, in->stmts[i]);
	for (i++; i < end; i++)
		statement(b, &d, in, in->stmts[i]);
	if (end < in->stmts_used)
		end_insn(b);
	return end;
}

IRSB *instr_block(VgCallbackClosure *closure, IRSB *in,
		  UNUSED const VexGuestLayout *layout, const VexGuestExtents *extents,
		  UNUSED const VexArchInfo *arch, UNUSED IRType word,
		  UNUSED IRType host_word)
{
	struct block b = {.out = deepCopyIRSBExceptStmts(in), .pc = extents->base[0]};
	int i = 0;

	if (exact_wanted(in, closure->nraddr))
		return exact_block(in, closure->nraddr, extents->base[0]);
	for (; i < in->stmts_used && in->stmts[i]->tag != Ist_IMark; i++)
		emit(&b, in->stmts[i]);
	schedule_begin(&b, in);
	branch_begin(&b, in, extents->base[0]);
	for (int first = 1; i < in->stmts_used; first = 0)
		i = insn(&b, in, i, first);
	branch_end(&b, in);
	schedule_end();
	emit_pending(&b);
	if (tool.sampling)
		sample_emit(&b);
	return b.out;
}
