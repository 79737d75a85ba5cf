/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/tool/emit.h"

IRExpr *emit_value(struct block *b, IRType type, IRExpr *e)
{
	const IRTemp t = newIRTemp(b->out->tyenv, type);

	emit(b, IRStmt_WrTmp(t, e));
	return IRExpr_RdTmp(t);
}

IRExpr *emit_bit(struct block *b, IRExpr *condition)
{
	return emit_value(b, Ity_I64, IRExpr_Unop(Iop_1Uto64, condition));
}

IRExpr *emit_load(struct block *b, IRType type, const void *from)
{
	return emit_value(b, type, IRExpr_Load(Iend_LE, type, emit_const((Addr)from)));
}

void emit_store(struct block *b, void *to, IRExpr *value)
{
	emit(b, IRStmt_Store(Iend_LE, emit_const((Addr)to), value));
}

void emit_add(struct block *b, enum sim_counter c, IRExpr *value)
{
	uint64_t *const count = &tool.count[c];

	if (!tool_requested(c))
		return;
	IRExpr *const old = emit_load(b, Ity_I64, count);
	emit_store(b, count, emit_value(b, Ity_I64, IRExpr_Binop(Iop_Add64, old, value)));
}

void emit_call(struct block *b, int regparms, const HChar *name, void *fn, IRExpr **args,
	       IRExpr *guard)
{
	IRDirty *const d =
		unsafeIRDirty_0_N(regparms, name, VG_(fnptr_to_fnentry)(fn), args);

	if (guard)
		d->guard = guard;
	emit(b, IRStmt_Dirty(d));
}

/* Calls the helper that exists for this sequence of kinds of accesses. */
static void call_model(struct block *b, const struct pending_access *e, unsigned n,
		       IRExpr *guard)
{
	enum access kind[MAX_PENDING] = {0};
	uint64_t sizes = 0;

	for (unsigned i = 0; i < n; i++) {
		kind[i] = e[i].kind;
		sizes |= (uint64_t)e[i].size << (MODEL_SIZE_BITS * i);
	}
	const struct model_helper *const h = model_helper(kind, n);
	IRExpr *const last = emit_const(sizes);

	if (n == 1)
		emit_call(b, 2, h->name, h->fn, mkIRExprVec_2(e[0].addr, last), guard);
	else if (n == 2)
		emit_call(b, 3, h->name, h->fn, mkIRExprVec_3(e[0].addr, e[1].addr, last),
			  guard);
	else
		emit_call(b, 0, h->name, h->fn,
			  mkIRExprVec_4(e[0].addr, e[1].addr, e[2].addr, last), guard);
}

static void emit_accesses(struct block *b)
{
	if (b->npending)
		call_model(b, b->pending, b->npending, NULL);
	b->npending = 0;
}

void emit_access(struct block *b, enum access kind, IRExpr *addr, unsigned size,
		 IRExpr *guard)
{
	const struct pending_access e = {kind, addr, size};

	if (guard || b->npending == MAX_PENDING)
		emit_accesses(b);
	if (guard)
		call_model(b, &e, 1, guard);
	else
		b->pending[b->npending++] = e;
}

void emit_pending(struct block *b)
{
	emit_accesses(b);
	for (int c = 0; c < SIM_NCOUNTERS; c++) {
		if (b->increment[c])
			emit_add(b, c, emit_const(b->increment[c]));
		b->increment[c] = 0;
	}
}
