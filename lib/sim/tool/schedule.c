/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/tool/schedule.h"

#include "libvex_guest_amd64.h"
#include "pub_tool_libcbase.h"

#include "sim/model/schedule.h"
#include "sim/tool/operation.h"

enum { MAX_TEMPS = 4096, RSP = 4, VECTORS = 16 };

/*
 * What a value is used for, as bits. FOR_CARRY: only for the carry flag that remains.
 * FOR_CONDITION: whether something happens.
 */
enum { FOR_ADDRESS = 1, FOR_DATA = 2, FOR_CARRY = 4, FOR_CONDITION = 8 };

/*
 * A temporary: FOR_ bits of its uses in the current instruction, whose statements are
 * read from the last to the first, until it is made; then MADE + the number of its
 * instruction.
 */
enum { MADE = 16, EARLIER = SCHEDULE_INSNS };

static struct {
	struct schedule machine;
	struct schedule_block block; /* the part of the block that is being read */
	unsigned cycles;	     /* of the parts before, in sixteenths */
	const IRSB *in;
	IRConst *time; /* of the whole block, in its code; NULL: not requested */
	uint8_t temp[MAX_TEMPS];
	uint32_t written; /* bit r: the current instruction writes register r */
} state;

unsigned schedule_string_word[2];

void schedule_set_up(void)
{
	schedule_open(&state.machine, tool.machine);
	schedule_string_word[0] = schedule_operation(&state.machine, MOP_LOAD);
	schedule_string_word[1] = schedule_operation(&state.machine, MOP_STORE);
}

void schedule_string_end(struct block *b, IRExpr *when)
{
	if (tool_requested(CTR_SCHED16))
		emit_add(b, CTR_SCHED16,
			 emit_value(b, Ity_I64,
				    IRExpr_Binop(Iop_Mul64, when,
						 emit_const(schedule_issue(&state.machine,
									   1)))));
}

/*
 * Returns the register at this place of the guest state, or -1. Flags, the stack pointer
 * and the x87 registers are not followed.
 */
static int register_of(Int offset)
{
	enum {
		INTEGERS = offsetof(VexGuestAMD64State, guest_RAX),
		YMM = offsetof(VexGuestAMD64State, guest_YMM0),
		YMM_SIZE = offsetof(VexGuestAMD64State, guest_YMM1) - YMM
	};

	if (offset >= INTEGERS && offset < INTEGERS + 16 * 8) {
		const int r = (offset - INTEGERS) / 8;

		return r == RSP ? -1 : r;
	}
	if (offset >= YMM && offset < YMM + 16 * YMM_SIZE)
		return VECTORS + (offset - YMM) / YMM_SIZE;
	return -1;
}

static struct schedule_insn *current(void)
{
	return &state.block.insn[state.block.n];
}

/* The current instruction uses a result; EARLIER: of an earlier part of the block. */
static void use_result(unsigned insn, int how)
{
	const uint64_t bit = insn == EARLIER ? 0 : 1ULL << insn;

	if (how & FOR_ADDRESS)
		current()->address.insns |= bit;
	if (how & (FOR_DATA | FOR_CONDITION))
		current()->data.insns |= bit;
}

static void use_register(int r, int how)
{
	if (r < 0)
		return;
	if (state.block.writer[r]) {
		use_result(state.block.writer[r] - 1u, how);
		return;
	}
	if (how & FOR_ADDRESS)
		current()->address.regs |= 1U << r;
	if (how & (FOR_DATA | FOR_CONDITION))
		current()->data.regs |= 1U << r;
}

static void use(const IRExpr *e, int how)
{
	if (!e || e->tag != Iex_RdTmp || e->Iex.RdTmp.tmp >= MAX_TEMPS)
		return;
	uint8_t *const temp = &state.temp[e->Iex.RdTmp.tmp];

	if (*temp >= MADE)
		use_result(*temp - MADE, how);
	else
		*temp |= how;
}

/*
 * The instruction is an operation of its dearest kind, on all vectors of that kind. A
 * condition is made of flags in one step, by whatever operations Valgrind's version
 * derives it from them.
 */
static void operate(struct operation o, int how)
{
	struct schedule_insn *const x = current();

	if (!(how & (FOR_DATA | FOR_CONDITION)) || o.op == MOP_NOPS)
		return;
	if (!(how & FOR_DATA))
		o = (struct operation){MOP_ALU, 0, 0};
	if (x->op == o.op) {
		x->bytes += o.bytes;
	} else if (x->op == MOP_NOPS || o.op > x->op) {
		x->op = o.op;
		x->bytes = o.bytes;
		x->elem = o.elem;
	}
}

static void access_memory(const IRExpr *addr, unsigned loaded, unsigned stored)
{
	current()->loads += schedule_passes(&state.machine, loaded);
	current()->stores += schedule_passes(&state.machine, stored);
	use(addr, FOR_ADDRESS);
}

static unsigned size_of(const IRExpr *e)
{
	return sizeofIRType(typeOfIRExpr(state.in->tyenv, e));
}

/* An expression of this type, whose value is used as the bits of how say. */
static void expression(const IRExpr *e, IRType type, int how)
{
	switch (e->tag) {
	case Iex_Get:
		use_register(register_of(e->Iex.Get.offset), how);
		break;
	case Iex_RdTmp:
		use(e, how);
		break;
	case Iex_Load:
		access_memory(e->Iex.Load.addr, sizeofIRType(type), 0);
		break;
	case Iex_Unop:
		operate(operation_find(e->Iex.Unop.op, 1, type), how);
		use(e->Iex.Unop.arg, how);
		break;
	case Iex_Binop:
		operate(operation_find(e->Iex.Binop.op, 0, type), how);
		use(e->Iex.Binop.arg1, how);
		use(e->Iex.Binop.arg2, how);
		break;
	case Iex_Triop:
		operate(operation_find(e->Iex.Triop.details->op, 0, type), how);
		use(e->Iex.Triop.details->arg2, how);
		use(e->Iex.Triop.details->arg3, how);
		break;
	case Iex_Qop:
		operate(operation_find(e->Iex.Qop.details->op, 0, type), how);
		use(e->Iex.Qop.details->arg2, how);
		use(e->Iex.Qop.details->arg3, how);
		use(e->Iex.Qop.details->arg4, how);
		break;
	case Iex_ITE:
		operate((struct operation){MOP_ALU, 0, 0}, how);
		use(e->Iex.ITE.cond, how & FOR_DATA ? FOR_CONDITION : how);
		use(e->Iex.ITE.iftrue, how);
		use(e->Iex.ITE.iffalse, how);
		break;
	case Iex_CCall:
		operate((struct operation){MOP_ALU, 0, 0}, how);
		for (IRExpr **arg = e->Iex.CCall.args; *arg; arg++)
			use(*arg, how);
		break;
	default:
		break;
	}
}

static int is_fp(IRType type)
{
	return type == Ity_F32 || type == Ity_F64 || type == Ity_V128 || type == Ity_V256;
}

/*
 * A temporary is made. If nothing in this instruction uses it, later instructions do. A
 * value that only forms an address takes no time.
 */
static void make(IRTemp t, const IRExpr *e)
{
	const IRType type = state.in->tyenv->types[t];
	const int how = t < MAX_TEMPS && state.temp[t] ? state.temp[t] : FOR_DATA;

	current()->fp |= is_fp(type);
	if (e)
		expression(e, type, how);
	if (t < MAX_TEMPS)
		state.temp[t] = MADE + state.block.n;
}

/*
 * inc and dec keep the carry flag, which the instruction before them determines: their
 * results do not wait for it.
 */
static void put(const IRStmt *s)
{
	const int r = register_of(s->Ist.Put.offset);

	if (s->Ist.Put.offset == offsetof(VexGuestAMD64State, guest_CC_NDEP))
		use(s->Ist.Put.data, FOR_CARRY);
	if (r < 0)
		return;
	current()->fp |= r >= VECTORS;
	state.written |= 1U << r;
	use(s->Ist.Put.data, FOR_DATA);
}

static void compare_and_swap(const IRCAS *c)
{
	const unsigned size = size_of(c->dataLo) * (c->dataHi ? 2 : 1);

	access_memory(c->addr, size, size);
	use(c->expdLo, FOR_DATA);
	use(c->dataLo, FOR_DATA);
	make(c->oldLo, NULL);
	if (c->dataHi)
		make(c->oldHi, NULL);
}

static void call(const IRDirty *d)
{
	const int reads = d->mFx == Ifx_Read || d->mFx == Ifx_Modify;
	const int writes = d->mFx == Ifx_Write || d->mFx == Ifx_Modify;

	operate((struct operation){MOP_ALU, 0, 0}, FOR_DATA);
	if (d->mFx != Ifx_None)
		access_memory(d->mAddr, reads ? d->mSize : 0, writes ? d->mSize : 0);
	for (IRExpr **arg = d->args; *arg; arg++)
		if (!is_IRExpr_VECRET_or_GSPTR(*arg))
			use(*arg, FOR_DATA);
	if (d->tmp != IRTemp_INVALID)
		make(d->tmp, NULL);
}

static void guarded_load(const IRLoadG *l)
{
	IRType result, loaded;

	typeOfIRLoadGOp(l->cvt, &result, &loaded);
	access_memory(l->addr, sizeofIRType(loaded), 0);
	use(l->alt, FOR_DATA);
	use(l->guard, FOR_DATA);
	make(l->dst, NULL);
}

static void statement(const IRStmt *s)
{
	switch (s->tag) {
	case Ist_WrTmp:
		make(s->Ist.WrTmp.tmp, s->Ist.WrTmp.data);
		break;
	case Ist_Put:
		put(s);
		break;
	case Ist_Store:
		access_memory(s->Ist.Store.addr, 0, size_of(s->Ist.Store.data));
		use(s->Ist.Store.data, FOR_DATA);
		break;
	case Ist_StoreG:
		access_memory(s->Ist.StoreG.details->addr, 0,
			      size_of(s->Ist.StoreG.details->data));
		use(s->Ist.StoreG.details->data, FOR_DATA);
		use(s->Ist.StoreG.details->guard, FOR_DATA);
		break;
	case Ist_LoadG:
		guarded_load(s->Ist.LoadG.details);
		break;
	case Ist_CAS:
		compare_and_swap(s->Ist.CAS.details);
		break;
	case Ist_Dirty:
		call(s->Ist.Dirty.details);
		break;
	case Ist_Exit:
		use(s->Ist.Exit.guard, FOR_CONDITION);
		break;
	default:
		break;
	}
}

/* What the kind of an instruction adds to its statements. */
static void add_kind(const struct x86_insn *x)
{
	switch (x->kind) {
	case X86_JCC:
	case X86_JMP:
	case X86_JMP_IND:
	case X86_CALL:
	case X86_CALL_IND:
	case X86_RET:
		current()->op = MOP_BRANCH;
		current()->bytes = 0;
		break;
	case X86_PREFETCH:
		current()->loads++;
		break;
	default:
		break;
	}
	/* The code of some locked operations has a load before the compare-and-swap. */
	if ((x->flags & X86_LOCK) && current()->loads > current()->stores)
		current()->loads = current()->stores;
}

static void begin_part(void)
{
	VG_(memset)(state.block.writer, 0, sizeof state.block.writer);
	state.block.n = state.block.issued = 0;
}

void schedule_begin(struct block *b, const IRSB *in)
{
	const unsigned temps = in->tyenv->types_used;

	state.time = NULL;
	if (!tool_requested(CTR_SCHED16))
		return;
	state.in = in;
	state.cycles = 0;
	VG_(memset)(state.temp, 0, temps < MAX_TEMPS ? temps : MAX_TEMPS);
	begin_part();
	state.time = IRConst_U64(0);
	emit_add_time(b, IRExpr_Const(state.time));
	if (emit_recorder)
		emit_recorder->add(b, CTR_SCHED16, IRExpr_Const(state.time));
}

void schedule_insn(const struct block *b, unsigned issued, int from, int end)
{
	if (!state.time || (b->insn.flags & X86_REP))
		return;
	if (state.block.n == SCHEDULE_INSNS) {
		state.cycles += schedule_cycles(&state.machine, &state.block);
		for (int t = 0; t < state.in->tyenv->types_used && t < MAX_TEMPS; t++)
			if (state.temp[t] >= MADE)
				state.temp[t] = MADE + EARLIER;
		begin_part();
	}
	*current() = (struct schedule_insn){.op = MOP_NOPS};
	state.written = 0;
	for (int i = end - 1; i >= from; i--)
		statement(state.in->stmts[i]);
	add_kind(&b->insn);
	state.block.n++;
	state.block.issued += issued;
	for (uint32_t left = state.written; left; left &= left - 1)
		state.block.writer[__builtin_ctz(left)] = state.block.n;
}

void schedule_end(void)
{
	if (state.time)
		state.time->Ico.U64 =
			state.cycles + schedule_cycles(&state.machine, &state.block);
}
