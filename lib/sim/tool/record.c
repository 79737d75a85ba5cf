/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/tool/record.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_machine.h"
#include "pub_tool_threadstate.h"

#include "sim/record/events.h"
#include "sim/record/store.h"
#include "sim/virtual/clock.h"

enum { MAX_ITEMS = 4096, MAX_N = 255 /* of an item */ };

/* The block that is being instrumented. */
static struct {
	uint16_t noted[SIM_NCOUNTERS]; /* what of b->increment is in items */
	struct {
		struct records_branch branch;
		uint64_t item[MAX_ITEMS];
	} id;		 /* of the entry of its code */
	unsigned n;	 /* items */
	uint64_t insns;	 /* instructions of the items */
	IRExpr *outcome; /* offset of the outcome of branch; NULL: not conditional */
} state;

/* The instruction for which a helper runs. */
static struct {
	uint64_t *site;
	struct events_before before;
} around;

static uint64_t insns(void)
{
	uint64_t word;

	VG_(get_shadow_regs_area)
	(VG_(get_running_tid)(), (UChar *)&word, 1,
	 offsetof(struct tool_words, insn_load), sizeof word);
	return clock_passed() + tool.count[CTR_INSN] + (word & TOOL_LOW);
}

static uint64_t *site_of(const struct block *b)
{
	return events_site(b->pc);
}

static int is_counted(enum sim_counter c)
{
	return events.counters >> c & 1;
}

static int is_recorded(enum records_kind kind)
{
	return events.interval[kind] != 0;
}

/*
 * Emits the subtraction from the fields of events.left. Returns the condition that a
 * record is due.
 */
static IRExpr *count_down(struct block *b, IRExpr *n)
{
	IRExpr *const left = emit_value(
		b, Ity_I64,
		IRExpr_Binop(Iop_Sub64, emit_load(b, Ity_I64, &events.left), n));
	IRExpr *const bits = emit_value(
		b, Ity_I64, IRExpr_Binop(Iop_And64, left, emit_const(EVENTS_DUE)));

	emit_store(b, &events.left, left);
	return emit_value(b, Ity_I1,
			  IRExpr_Binop(Iop_CmpNE64, bits, emit_const(EVENTS_DUE)));
}

/* ---- Increments that are known when the code is translated */

static void note(Addr pc, unsigned event, unsigned n)
{
	for (unsigned some; n && state.n < MAX_ITEMS; n -= some) {
		some = n < MAX_N ? n : MAX_N;
		state.id.item[state.n++] = RECORDS_ITEM(pc, event, some);
	}
}

static void note_event(const struct block *b, unsigned e)
{
	unsigned n = 0;

	for (uint64_t left = events.event[e].counters; left; left &= left - 1) {
		const int c = __builtin_ctzll(left);

		n += (uint16_t)(b->increment[c] - state.noted[c]);
	}
	note(b->pc, e, n);
	if (events.event[e].kind == RECORDS_INSN)
		state.insns += n;
}

void record_instruction(struct block *b)
{
	if (!events.on)
		return;
	for (unsigned e = 0; e < events.n; e++)
		note_event(b, e);
	VG_(memcpy)(state.noted, b->increment, sizeof state.noted);
}

/* An instruction was counted, of which some are left now. Returns how many are. */
static int64_t count_insn(Addr pc, int64_t left)
{
	if (left > 0)
		return left;
	events_put((struct records_record){.kind = RECORDS_INSN, .pc = pc});
	return (int64_t)events.interval[RECORDS_INSN];
}

static int is_insn(uint64_t item)
{
	return events.event[RECORDS_ITEM_EVENT(item)].kind == RECORDS_INSN;
}

static void record_insns(const uint64_t *item, unsigned n)
{
	int64_t left = events_left(EVENTS_INSN);

	for (unsigned i = 0; i < n; i++)
		left += is_insn(item[i]) ? (int64_t)RECORDS_ITEM_N(item[i]) : 0;
	for (unsigned i = 0; i < n; i++)
		for (unsigned k = is_insn(item[i]) ? RECORDS_ITEM_N(item[i]) : 0; k; k--)
			left = count_insn(RECORDS_ITEM_PC(item[i]), left - 1);
	events_set_left(EVENTS_INSN, left);
}

static void put_branch(Addr pc, Addr to, unsigned flags)
{
	events_set_left(EVENTS_BRANCH, (int64_t)events.interval[RECORDS_BRANCH]);
	events_put((struct records_record){
		.kind = RECORDS_BRANCH, .pc = pc, .data = to, .flags = (uint8_t)flags});
}

/* A conditional branch; i: the index of its outcome among its counts. */
static void put_outcome(const struct records_branch *b, unsigned i)
{
	const unsigned taken = (i ^ b->inverted) & 1, predicted = i / 2 >= 2;
	unsigned flags = taken ? RECORD_TAKEN : 0;

	if (tool.parts & SIM_BRANCHES)
		flags |= RECORD_PREDICTED | (taken == predicted ? RECORD_RIGHT : 0);
	put_branch(b->pc, b->to[i & 1], flags);
}

/* The code of an entry was executed, and a record is due. */
static VG_REGPARM(2) void due(const struct records_entry *e, UWord offset)
{
	const struct records_branch *const b = (const struct records_branch *)(e + 1);
	const int is_conditional = e->size - sizeof *e - e->id > sizeof(uint64_t);

	if (is_recorded(RECORDS_INSN) && events_left(EVENTS_INSN) <= 0)
		record_insns((const uint64_t *)(b + 1),
			     (e->id - sizeof *b) / sizeof(uint64_t));
	if (!is_recorded(RECORDS_BRANCH) || events_left(EVENTS_BRANCH) > 0)
		return;
	if (is_conditional)
		put_outcome(b, (unsigned)(offset / sizeof(uint64_t)));
	else
		put_branch(b->pc, b->to[1],
			   RECORD_TAKEN | RECORD_PREDICTED | RECORD_RIGHT);
}

/* What an execution of the code subtracts from the fields of events.left. */
static uint64_t events_of_run(void)
{
	uint64_t n = 0;

	if (is_recorded(RECORDS_INSN))
		n += state.insns << EVENTS_INSN;
	if (is_recorded(RECORDS_BRANCH) && state.id.branch.pc)
		n += UINT64_C(1) << EVENTS_BRANCH;
	return n;
}

static void emit_run(struct block *b)
{
	const UInt size = sizeof state.id.branch + state.n * sizeof state.id.item[0];
	const struct records_entry *const e =
		store_entry(ENTRY_RUN, &state.id, size, state.outcome ? 8 : 1);
	const uint64_t n = events_of_run();

	if (state.outcome)
		emit_outcome(b, records_counts(e), state.outcome);
	else
		emit_increase(b, records_counts(e), emit_const(1));
	if (n)
		emit_call(b, 2, "due", due,
			  mkIRExprVec_2(emit_const((Addr)e),
					state.outcome ? state.outcome : emit_const(0)),
			  count_down(b, emit_const(n)));
}

static void run(struct block *b)
{
	record_instruction(b);
	VG_(memset)(state.noted, 0, sizeof state.noted);
	if (state.n || state.id.branch.pc)
		emit_run(b);
	VG_(memset)(&state.id.branch, 0, sizeof state.id.branch);
	state.n = 0;
	state.insns = 0;
	state.outcome = NULL;
}

/* ---- Increments that the code computes */

/* A string instruction has ended. */
static VG_REGPARM(1) void instruction(Addr pc)
{
	if (is_recorded(RECORDS_INSN))
		events_set_left(EVENTS_INSN, count_insn(pc, events_left(EVENTS_INSN)));
}

static void add(struct block *b, enum sim_counter c, IRExpr *value)
{
	if (!is_counted(c))
		return;
	for (unsigned e = 0; e < events.n; e++)
		if (events.event[e].counters >> c & 1)
			emit_increase(b, &site_of(b)[e], value);
	if (c == CTR_INSN && is_recorded(RECORDS_INSN))
		emit_call(b, 1, "instruction", instruction,
			  mkIRExprVec_1(emit_const(b->pc)), count_down(b, value));
}

/* ---- Accesses */

static IRExpr *counts(struct block *b, enum access kind)
{
	uint64_t *const at = access_counts(kind, b->pc);

	return at ? emit_const((Addr)at) : NULL;
}

static VG_REGPARM(3) void before(uint64_t *site, Addr addr, UWord size)
{
	around.site = site;
	events_before(&around.before, &events.all, addr, size);
}

static void after(void)
{
	events_after(&around.before, &events.all, around.site);
}

/* Can the model count anything for an access of the current instruction? */
static int is_access_counted(void)
{
	return events.on && (events.all.n || events.miss >= 0);
}

static void access_begins(struct block *b, IRExpr *addr, unsigned size, IRExpr *guard)
{
	if (is_access_counted())
		emit_call(b, 3, "before", before,
			  mkIRExprVec_3(emit_const((Addr)site_of(b)), addr,
					emit_const(size)),
			  guard);
}

static void access_ends(struct block *b, IRExpr *guard)
{
	if (is_access_counted())
		emit_call(b, 0, "after", after, mkIRExprVec_0(), guard);
}

void record_begin(Addr pc)
{
	if (is_access_counted())
		before(events_site(pc), 0, 1);
}

void record_end(void)
{
	if (is_access_counted())
		after();
}

void record_count(enum sim_counter c, Addr pc)
{
	for (unsigned e = 0; e < events.n && is_counted(c); e++)
		events_site(pc)[e] += events.event[e].counters >> c & 1;
}

/* ---- Branches */

static int are_outcomes_counted(void)
{
	return is_counted(CTR_BR_COND) || is_counted(CTR_BR_COND_TK) ||
	       is_counted(CTR_BR_MISP_TK) || is_counted(CTR_BR_MISP_NT) ||
	       is_counted(CTR_I1_REF);
}

static void outcome(struct block *b, IRExpr *offset, unsigned table)
{
	if (!are_outcomes_counted())
		return;
	state.id.branch = (struct records_branch){.pc = b->pc,
						  .to = {b->to[0], b->to[1]},
						  .inverted = !!(table & TOOL_INVERTED),
						  .crossing = !!(table & TOOL_CROSSING)};
	state.outcome = offset;
}

static uint64_t mispredicted(void)
{
	return tool.count[CTR_BR_MISP_IND] + tool.count[CTR_BR_MISP_RET];
}

/* An indirect jump or call, or a return, leads to an address; before: mispredicted(). */
static inline void jumped(Addr pc, Addr to, enum sim_counter misses, uint64_t before)
{
	const int is_right = mispredicted() == before;

	if (!is_right)
		record_count(misses, pc);
	if (!is_recorded(RECORDS_BRANCH))
		return;
	events_set_left(EVENTS_BRANCH, events_left(EVENTS_BRANCH) - 1);
	if (events_left(EVENTS_BRANCH) <= 0)
		put_branch(pc, to,
			   RECORD_TAKEN | RECORD_PREDICTED |
				   (is_right ? RECORD_RIGHT : 0));
}

static VG_REGPARM(2) void jump_indirect(Addr pc, Addr to)
{
	const uint64_t before = mispredicted();

	sim_indirect(&model_sim, pc, to);
	jumped(pc, to, CTR_BR_MISP_IND, before);
}

static VG_REGPARM(3) void call_indirect(Addr pc, Addr to, Addr return_address)
{
	jump_indirect(pc, to);
	sim_call(&model_sim, return_address);
}

static VG_REGPARM(2) void return_to(Addr pc, Addr to)
{
	const uint64_t before = mispredicted();

	sim_return(&model_sim, to);
	jumped(pc, to, CTR_BR_MISP_RET, before);
}

static int is_direct(const struct block *b)
{
	return b->insn.kind == X86_JMP || b->insn.kind == X86_CALL;
}

static int are_targets_counted(void)
{
	return is_recorded(RECORDS_BRANCH) || is_counted(CTR_BR_MISP_IND) ||
	       is_counted(CTR_BR_MISP_RET);
}

/* The prediction of a direct jump or call is always right. */
int record_jump(struct block *b, IRExpr *to)
{
	IRExpr *const pc = emit_const(b->pc);

	if (is_direct(b) && is_recorded(RECORDS_BRANCH))
		state.id.branch = (struct records_branch){
			.pc = b->pc,
			.to = {0, to->tag == Iex_Const ? to->Iex.Const.con->Ico.U64 : 0}};
	if (!are_targets_counted())
		return 0;
	if (b->insn.kind == X86_JMP_IND)
		emit_call(b, 2, "jump_indirect", jump_indirect, mkIRExprVec_2(pc, to),
			  NULL);
	else if (b->insn.kind == X86_CALL_IND)
		emit_call(b, 3, "call_indirect", call_indirect,
			  mkIRExprVec_3(pc, to, emit_const(b->pc + b->len)), NULL);
	else if (b->insn.kind == X86_RET)
		emit_call(b, 2, "return_to", return_to, mkIRExprVec_2(pc, to), NULL);
	else
		return 0;
	return 1;
}

/* The counters of all events, and those that make the details of their records. */
static uint64_t simulated(void)
{
	const uint64_t branches =
		UINT64_C(1) << CTR_BR_MISP_TK | UINT64_C(1) << CTR_BR_MISP_NT |
		UINT64_C(1) << CTR_BR_MISP_IND | UINT64_C(1) << CTR_BR_MISP_RET;

	return events.counters | (is_recorded(RECORDS_BRANCH) ? branches : 0);
}

void record_open(const HChar *path)
{
	static const struct emit_recorder recorder = {.run = run,
						      .add = add,
						      .counts = counts,
						      .before = access_begins,
						      .after = access_ends,
						      .branch = outcome};

	events_open(path, &model_sim, insns);
	if (!events.on)
		return;
	emit_recorder = &recorder;
	if (model_simulate(simulated()))
		tool_die("out of memory to simulate machine", tool.machine->name);
}
