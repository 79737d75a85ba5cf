/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/tool/emit.h"

#include "sim/model/hint.h"

const struct emit_recorder *emit_recorder;

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

void emit_increase(struct block *b, uint64_t *count, IRExpr *value)
{
	IRExpr *const old = emit_load(b, Ity_I64, count);

	emit_store(b, count, emit_value(b, Ity_I64, IRExpr_Binop(Iop_Add64, old, value)));
}

void emit_add(struct block *b, enum sim_counter c, IRExpr *value)
{
	if (!tool_requested(c))
		return;
	emit_increase(b, &tool.count[c], value);
	if (emit_recorder)
		emit_recorder->add(b, c, value);
}

void emit_outcome(struct block *b, const uint64_t *table, IRExpr *offset)
{
	IRExpr *const base = emit_const((Addr)table);
	IRExpr *const at = emit_value(b, Ity_I64, IRExpr_Binop(Iop_Add64, offset, base));
	IRExpr *const n = emit_value(b, Ity_I64, IRExpr_Load(Iend_LE, Ity_I64, at));
	/* A second sum: VEX makes it part of the store, so that it needs no register. */
	IRExpr *const to = emit_value(b, Ity_I64, IRExpr_Binop(Iop_Add64, offset, base));

	emit(b, IRStmt_Store(Iend_LE, to,
			     emit_value(b, Ity_I64,
					IRExpr_Binop(Iop_Add64, n, emit_const(1)))));
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
	const struct access_helper *const h = model_helper(kind, n);
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

static IRExpr *binary(struct block *b, IROp op, IRExpr *x, uint64_t y)
{
	return emit_value(b, Ity_I64, IRExpr_Binop(op, x, emit_const(y)));
}

/*
 * Calls a helper with the address of an access, and its counts if it has any, unless the
 * hint at the address at fits.
 */
static void unless_hinted(struct block *b, const struct access_helper *h,
			  const struct pending_access *e, IRExpr *key, IRExpr *at)
{
	IRExpr *const hint = emit_value(b, Ity_I64, IRExpr_Load(Iend_LE, Ity_I64, at));
	IRExpr *const differs =
		emit_value(b, Ity_I1, IRExpr_Binop(Iop_CmpNE64, key, hint));

	if (e->counts)
		emit_call(b, 2, h->name, h->fn, mkIRExprVec_2(e->addr, e->counts),
			  differs);
	else
		emit_call(b, 1, h->name, h->fn, mkIRExprVec_1(e->addr), differs);
}

/* Compares a fetch with its hint, as described in hint.h. */
static void hinted_fetch(struct block *b, const struct access_helper *h,
			 const struct pending_access *e)
{
	const Addr addr = e->addr->Iex.Const.con->Ico.U64;
	uint64_t *const set =
		cache_set(&twoway_i1, model_sim.i1_sets + twoway_i1.hints, addr);

	unless_hinted(b, h, e, emit_const(hint_key(&twoway_i1, addr)),
		      emit_const((Addr)&set[HINT_FETCH]));
}

/* As hinted_fetch(). The bits of the address that select the set are the set's offset. */
static void hinted_data(struct block *b, const struct access_helper *h,
			const struct pending_access *e)
{
	uint64_t *const set = model_sim.d1_sets + twoway_d1.hints;
	uint64_t *const hint = &set[e->kind == ACCESS_LOAD ? HINT_LOAD : HINT_STORE];
	IRExpr *const end =
		e->size == 1 ? e->addr : binary(b, Iop_Add64, e->addr, e->size - 1);
	IRExpr *const key = binary(b, Iop_Or64, end, twoway_d1.line);
	IRExpr *const offset =
		binary(b, Iop_And64, e->addr, sizeof model_sim.d1_sets - 32);

	_Static_assert(TWOWAY_SET * sizeof(*set) == 32, "a set takes the size of a line");
	unless_hinted(b, h, e, key, binary(b, Iop_Add64, offset, (Addr)hint));
}

static void hinted(struct block *b, const struct access_helper *h,
		   const struct pending_access *e)
{
	if (e->kind == ACCESS_FETCH)
		hinted_fetch(b, h, e);
	else
		hinted_data(b, h, e);
}

static IRExpr *counts_of(struct block *b, enum access kind)
{
	return emit_recorder ? emit_recorder->counts(b, kind) : NULL;
}

static const struct access_helper *unhinted(const struct pending_access *e)
{
	return e->counts ? access_unhinted(e->kind, e->size)
			 : model_unhinted(e->kind, e->size);
}

/* Calls the helper for one access, with its counts. */
static void call_recorded(struct block *b, const struct pending_access *e, IRExpr *guard)
{
	const struct access_helper *const h = access_general(e->kind);

	emit_call(b, 3, h->name, h->fn,
		  mkIRExprVec_3(e->addr, emit_const(e->size), e->counts), guard);
}

void emit_access(struct block *b, enum access kind, IRExpr *addr, unsigned size,
		 IRExpr *guard)
{
	const struct pending_access e = {kind, addr, size, counts_of(b, kind)};
	const struct access_helper *const h = guard ? NULL : unhinted(&e);

	if (h) {
		emit_accesses(b);
		hinted(b, h, &e);
		return;
	}
	if (e.counts) {
		emit_accesses(b);
		call_recorded(b, &e, guard);
		return;
	}

	if (guard || b->npending == MAX_PENDING)
		emit_accesses(b);
	if (guard)
		call_model(b, &e, 1, guard);
	else
		b->pending[b->npending++] = e;
}

void emit_modification(struct block *b, IRExpr *addr, unsigned size)
{
	const struct pending_access e = {ACCESS_MODIFY, addr, size, NULL};
	const struct access_helper *const h = emit_recorder ? NULL : unhinted(&e);

	if (!h) {
		emit_access(b, ACCESS_LOAD, addr, size, NULL);
		emit_access(b, ACCESS_STORE, addr, size, NULL);
		return;
	}
	emit_accesses(b);
	hinted(b, h, &e);
}

/* Returns the pending additions to a counter, 0 if nothing requests it or its like. */
static uint64_t take(struct block *b, enum sim_counter c, enum sim_counter like)
{
	const uint64_t n = b->increment[c];

	b->increment[c] = b->increment[like] = 0;
	return tool_requested(c) || tool_requested(like) ? n : 0;
}

/* Returns the word of struct tool_words at an offset in it. */
static IRExpr *get_word(struct block *b, Int offset)
{
	return emit_value(b, Ity_I64, IRExpr_Get(EMIT_WORDS + offset, Ity_I64));
}

void emit_if_last_bits(struct block *b, const HChar *name, void (*fn)(void))
{
	IRExpr *const words = emit_value(
		b, Ity_I64,
		IRExpr_Binop(Iop_Or64,
			     get_word(b, offsetof(struct tool_words, insn_load)),
			     get_word(b, offsetof(struct tool_words, store_i1_ref))));
	IRExpr *const bits = binary(b, Iop_And64, words, TOOL_LAST_BITS);

	emit_call(b, 0, name, fn, mkIRExprVec_0(),
		  emit_value(b, Ity_I1, IRExpr_Binop(Iop_CmpNE64, bits, emit_const(0))));
}

/* Adds to the word at an offset in struct tool_words. */
static void add_to_word(struct block *b, Int offset, IRExpr *value)
{
	IRExpr *const word = get_word(b, offset);

	emit(b, IRStmt_Put(EMIT_WORDS + offset,
			   emit_value(b, Ity_I64, IRExpr_Binop(Iop_Add64, word, value))));
}

void emit_add_time(struct block *b, IRExpr *value)
{
	add_to_word(b, offsetof(struct tool_words, sched16), value);
}

static void add_to_fields(struct block *b, Int offset, uint64_t low, uint64_t high)
{
	const uint64_t both = low | high << TOOL_FIELD_BITS;

	if (both)
		add_to_word(b, offset, emit_const(both));
}

static void emit_words(struct block *b)
{
	const uint64_t insn = take(b, CTR_INSN, CTR_INSN);
	const uint64_t load = take(b, CTR_LOAD, CTR_D1_RD);
	const uint64_t store = take(b, CTR_STORE, CTR_D1_WR);
	const uint64_t i1_ref = take(b, CTR_I1_REF, CTR_I1_REF);

	add_to_fields(b, offsetof(struct tool_words, insn_load), insn, load);
	add_to_fields(b, offsetof(struct tool_words, store_i1_ref), store, i1_ref);
}

void emit_pending(struct block *b)
{
	if (emit_recorder)
		emit_recorder->run(b);
	emit_accesses(b);
	emit_words(b);
	for (int c = 0; c < SIM_NCOUNTERS; c++) {
		if (b->increment[c] && tool_requested(c))
			emit_increase(b, &tool.count[c], emit_const(b->increment[c]));
		b->increment[c] = 0;
	}
}
