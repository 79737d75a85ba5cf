/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/tool/data.h"

#include "pub_tool_libcbase.h"

#include "sim/tool/feed.h"

enum { READ, WRITE };

/*
 * Bytes of the largest vector. A larger operand is saved or restored state, which must be
 * aligned (else the instruction raises an exception) and is accessed in pieces.
 */
enum { MAX_VECTOR = 32 };

/* The access to memory of a statement. */
struct stmt_access {
	IRExpr *addr, *guard;
	unsigned size;
	int reads, writes;
};

static unsigned size_of(const IRTypeEnv *types, const IRExpr *e)
{
	return sizeofIRType(typeOfIRExpr(types, e));
}

static struct stmt_access of_load_guarded(const IRLoadG *l)
{
	IRType result, loaded;

	typeOfIRLoadGOp(l->cvt, &result, &loaded);
	return (struct stmt_access){l->addr, l->guard, sizeofIRType(loaded), 1, 0};
}

static struct stmt_access of_dirty(const IRDirty *d)
{
	const int is_sure = !d->guard || d->guard->tag == Iex_Const;

	return (struct stmt_access){d->mAddr, is_sure ? NULL : d->guard, d->mSize,
				    d->mFx == Ifx_Read || d->mFx == Ifx_Modify,
				    d->mFx == Ifx_Write || d->mFx == Ifx_Modify};
}

static struct stmt_access of_cas(const IRTypeEnv *types, const IRCAS *c)
{
	const unsigned size = size_of(types, c->dataLo);

	return (struct stmt_access){c->addr, NULL, c->dataHi ? 2 * size : size, 1, 1};
}

/* Returns a statement's access; its size is 0 if the statement has none. */
static struct stmt_access find_access(const IRTypeEnv *types, const IRStmt *s)
{
	switch (s->tag) {
	case Ist_WrTmp:
		if (s->Ist.WrTmp.data->tag == Iex_Load)
			return (struct stmt_access){
				s->Ist.WrTmp.data->Iex.Load.addr, NULL,
				sizeofIRType(s->Ist.WrTmp.data->Iex.Load.ty), 1, 0};
		break;
	case Ist_Store:
		return (struct stmt_access){s->Ist.Store.addr, NULL,
					    size_of(types, s->Ist.Store.data), 0, 1};
	case Ist_LoadG:
		return of_load_guarded(s->Ist.LoadG.details);
	case Ist_StoreG:
		return (struct stmt_access){
			s->Ist.StoreG.details->addr, s->Ist.StoreG.details->guard,
			size_of(types, s->Ist.StoreG.details->data), 0, 1};
	case Ist_CAS:
		return of_cas(types, s->Ist.CAS.details);
	case Ist_Dirty:
		if (s->Ist.Dirty.details->mFx != Ifx_None)
			return of_dirty(s->Ist.Dirty.details);
		break;
	default:
		break;
	}
	return (struct stmt_access){.size = 0};
}

/* In a locked operation only the compare-and-swap counts, not the load before it. */
static int is_counted(const struct data *d, const IRStmt *s)
{
	return !d->has_cas || s->tag == Ist_CAS;
}

static void count_accesses(struct data *d, const IRSB *in, int from, int end)
{
	for (int i = from; i < end; i++)
		d->has_cas |= in->stmts[i]->tag == Ist_CAS;
	for (int i = from; i < end; i++) {
		const struct stmt_access f = find_access(d->types, in->stmts[i]);

		if (!is_counted(d, in->stmts[i]))
			continue;
		d->n[READ] += f.size && f.reads;
		d->n[WRITE] += f.size && f.writes;
		d->size[READ] += f.reads ? f.size : 0;
		d->size[WRITE] += f.writes ? f.size : 0;
	}
}

static int is_same_temporary(const IRExpr *a, const IRExpr *b)
{
	return a->tag == Iex_RdTmp && b->tag == Iex_RdTmp &&
	       a->Iex.RdTmp.tmp == b->Iex.RdTmp.tmp;
}

/* Does the instruction always store to the bytes that it has loaded, and no others? */
static int is_modification(const struct data *d, const IRSB *in, int from, int end)
{
	struct stmt_access read = {.size = 0};

	if (d->has_cas || d->n[READ] != 1 || d->n[WRITE] != 1)
		return 0;
	for (int i = from; i < end; i++) {
		const struct stmt_access f = find_access(d->types, in->stmts[i]);

		if (in->stmts[i]->tag == Ist_Exit || in->stmts[i]->tag == Ist_Dirty ||
		    (f.size && f.guard))
			return 0;
		if (f.writes)
			return read.size == f.size &&
			       is_same_temporary(read.addr, f.addr);
		if (f.size)
			read = f;
	}
	return 0;
}

/*
 * Returns how many operands the instruction reads: one, in however many pieces the
 * intermediate code loads it; cmps reads two, and a gather one for each element.
 */
static unsigned operands_read(const struct block *b, const struct data *d)
{
	if (b->insn.flags & X86_GATHER)
		return d->n[READ];
	if (b->insn.flags & X86_TWO_LOADS)
		return 2;
	return d->n[READ] || (b->insn.flags & X86_LOADS);
}

void data_begin(struct block *b, struct data *d, const IRSB *in, int from, int end)
{
	VG_(memset)(d, 0, sizeof *d);
	d->types = in->tyenv;
	if (!(b->insn.flags & X86_MEM))
		return;
	count_accesses(d, in, from, end);
	if (b->insn.flags & X86_REP)
		return;
	d->modifies = is_modification(d, in, from, end);
	const unsigned reads = operands_read(b, d);
	const unsigned writes = d->n[WRITE] || (b->insn.flags & X86_STORES);

	b->increment[CTR_LOAD] += reads;
	b->increment[CTR_D1_RD] += reads;
	b->increment[CTR_STORE] += writes;
	b->increment[CTR_D1_WR] += writes;
}

/* Counts an access not aligned to its size, rounded up to a power of two <= 16. */
static void count_unaligned(struct block *b, int kind, const struct stmt_access *f,
			    unsigned size)
{
	const enum sim_counter c = kind == READ ? CTR_UNAL_LD : CTR_UNAL_ST;
	unsigned mask = 1;

	while (mask < size && mask < 16)
		mask *= 2;
	if (!tool_requested(c) || mask == 1 || size > MAX_VECTOR)
		return;
	IRExpr *const rest = emit_value(
		b, Ity_I64, IRExpr_Binop(Iop_And64, f->addr, emit_const(mask - 1)));
	IRExpr *const is =
		emit_value(b, Ity_I1, IRExpr_Binop(Iop_CmpNE64, rest, emit_const(0)));
	emit_add(b, c, emit_bit(b, is));
}

static int has_one_operand(const struct block *b)
{
	return !(b->insn.flags & (X86_TWO_LOADS | X86_GATHER));
}

/* Keeps the first address for samples. */
static void remember_address(struct block *b, int kind, IRExpr *addr)
{
	IRExpr **const to = kind == READ ? &b->read : &b->written;

	*to = *to ? *to : addr;
}

/* Counts an access of kind READ or WRITE. */
static void count_access(struct block *b, struct data *d, int kind,
			 const struct stmt_access *f)
{
	const int is_first = !d->seen[kind]++;

	remember_address(b, kind, f->addr);
	if (has_one_operand(b) && is_first)
		count_unaligned(b, kind, f, d->size[kind]);
	else if (!has_one_operand(b))
		count_unaligned(b, kind, f, f->size);
}

/* Reports an access; of a modification, at its store, both. */
static void feed(struct block *b, const struct data *d, int reads, int writes,
		 const struct stmt_access *f)
{
	if (writes && (reads || d->modifies) && !f->guard) {
		feed_modification(b, f->addr, f->size);
		return;
	}
	if (reads && !d->modifies)
		feed_access(b, ACCESS_LOAD, f->addr, f->size, f->guard);
	if (writes)
		feed_access(b, ACCESS_STORE, f->addr, f->size, f->guard);
}

/* Counts sc_fail: a locked cmpxchg whose old value was not the expected one. */
static void count_failed_cas(struct block *b, const struct data *d, const IRCAS *c)
{
	static const IROp ne[] = {[1] = Iop_CasCmpNE8,
				  [2] = Iop_CasCmpNE16,
				  [4] = Iop_CasCmpNE32,
				  [8] = Iop_CasCmpNE64};
	const IROp op = ne[size_of(d->types, c->dataLo)];

	if (!tool_requested(CTR_SC_FAIL) || !(b->insn.flags & X86_CMPXCHG) ||
	    !(b->insn.flags & X86_LOCK))
		return;
	IRExpr *failed = emit_bit(
		b, emit_value(b, Ity_I1,
			      IRExpr_Binop(op, IRExpr_RdTmp(c->oldLo), c->expdLo)));
	if (c->dataHi) {
		IRExpr *const high = emit_bit(
			b,
			emit_value(b, Ity_I1,
				   IRExpr_Binop(op, IRExpr_RdTmp(c->oldHi), c->expdHi)));
		failed = emit_value(b, Ity_I64, IRExpr_Binop(Iop_Or64, failed, high));
	}
	emit_add(b, CTR_SC_FAIL, failed);
}

void data_statement(struct block *b, struct data *d, const IRStmt *s)
{
	if (!(b->insn.flags & X86_MEM))
		return;
	const struct stmt_access f = find_access(d->types, s);

	if (!f.size || !is_counted(d, s))
		return;
	if (b->insn.flags & X86_REP) {
		remember_address(b, f.writes ? WRITE : READ, f.addr);
		feed_string(b, f.writes ? ACCESS_STORE : ACCESS_LOAD,
			    d->seen[READ] && f.reads, f.addr, f.size);
		d->seen[f.writes ? WRITE : READ]++;
		return;
	}
	/* VEX dropped the unused load of a read-modify-write instruction. */
	const int both =
		(b->insn.flags & X86_LOADS) && (b->insn.flags & X86_EA) && !d->n[READ];

	const int reads = f.reads || (f.writes && both);

	if (reads)
		count_access(b, d, READ, &f);
	if (f.writes)
		count_access(b, d, WRITE, &f);
	feed(b, d, reads, f.writes, &f);
	if (s->tag == Ist_CAS)
		count_failed_cas(b, d, s->Ist.CAS.details);
}

int data_lacks_load(const struct x86_insn *x, const IRSB *in, int from, int end)
{
	struct data d = {.types = in->tyenv};
	const unsigned rmw = X86_LOADS | X86_STORES | X86_EA;

	if (!(x->flags & X86_MEM))
		return 0;
	count_accesses(&d, in, from, end);
	if (!d.n[READ] && !d.n[WRITE])
		return 1;
	if (x->flags & X86_TWO_LOADS)
		return d.n[READ] < 2;
	return (x->flags & rmw) != rmw && (x->flags & X86_LOADS) && !d.n[READ];
}
