/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/tool/record.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_machine.h"
#include "pub_tool_threadstate.h"

#include "sim/record/access.h"
#include "sim/record/events.h"
#include "sim/record/store.h"
#include "sim/virtual/clock.h"

enum { MAX_ITEMS = 4096, MAX_N = 255 /* of an item */ };

/* The block that is being instrumented. */
static struct {
	uint16_t noted[SIM_NCOUNTERS]; /* what of b->increment is in items */
	unsigned n;
	uint64_t item[MAX_ITEMS];
	uint64_t insns; /* instructions of the items */
} state;

/* The instruction for which a helper runs. */
static struct {
	uint64_t *site;
	struct events_before before;
	uint64_t mispredicted; /* indirect branches before the helper */
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

/*
 * Emits the subtraction of n events from those that are left until the next record.
 * Returns the condition that none is left.
 */
static IRExpr *count_down(struct block *b, enum records_kind kind, IRExpr *n)
{
	IRExpr *const left = emit_value(
		b, Ity_I64,
		IRExpr_Binop(Iop_Sub64, emit_load(b, Ity_I64, &events.left[kind]), n));

	emit_store(b, &events.left[kind], left);
	return emit_value(b, Ity_I1, IRExpr_Binop(Iop_CmpLE64S, left, emit_const(0)));
}

/* ---- Increments that are known when the code is translated */

static void note(Addr pc, unsigned event, unsigned n)
{
	for (unsigned some; n && state.n < MAX_ITEMS; n -= some) {
		some = n < MAX_N ? n : MAX_N;
		state.item[state.n++] = RECORDS_ITEM(pc, event, some);
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

static void put_insn(Addr pc)
{
	events_put((struct records_record){.kind = RECORDS_INSN, .pc = pc});
}

/*
 * A run has been executed, of so many instructions. Its n items are before its count.
 */
static VG_REGPARM(3) void instructions(const uint64_t *count, UWord n, UWord insns_of_run)
{
	const uint64_t *const item = count - n;
	int64_t left = events.left[RECORDS_INSN] + (int64_t)insns_of_run;

	for (UWord i = 0; i < n; i++) {
		if (events.event[RECORDS_ITEM_EVENT(item[i])].kind != RECORDS_INSN)
			continue;
		for (unsigned k = 0; k < RECORDS_ITEM_N(item[i]); k++) {
			if (--left > 0)
				continue;
			events.left[RECORDS_INSN] = 0;
			put_insn(RECORDS_ITEM_PC(item[i]));
			left = events.left[RECORDS_INSN];
		}
	}
	events.left[RECORDS_INSN] = left;
}

static void run(struct block *b)
{
	uint64_t *count;

	record_instruction(b);
	if (events.on)
		VG_(memset)(state.noted, 0, sizeof state.noted);
	if (!events.on || !state.n)
		return;
	count = store_entry(ENTRY_RUN, state.item, state.n * sizeof state.item[0], 1);
	emit_increase(b, count, emit_const(1));
	if (state.insns && events.interval[RECORDS_INSN])
		emit_call(b, 3, "instructions", instructions,
			  mkIRExprVec_3(emit_const((Addr)count), emit_const(state.n),
					emit_const(state.insns)),
			  count_down(b, RECORDS_INSN, emit_const(state.insns)));
	state.n = 0;
	state.insns = 0;
}

/* ---- Increments that the code computes */

/* A string instruction has ended. */
static VG_REGPARM(1) void instruction(Addr pc)
{
	put_insn(pc);
}

static void add(struct block *b, enum sim_counter c, IRExpr *value)
{
	if (!is_counted(c))
		return;
	for (unsigned e = 0; e < events.n; e++)
		if (events.event[e].counters >> c & 1)
			emit_increase(b, &site_of(b)[e], value);
	if (c == CTR_INSN && events.interval[RECORDS_INSN])
		emit_call(b, 1, "instruction", instruction,
			  mkIRExprVec_1(emit_const(b->pc)),
			  count_down(b, RECORDS_INSN, value));
}

/* ---- Accesses */

static IRExpr *site(struct block *b, enum access kind)
{
	return access_is_counted(kind) ? emit_const((Addr)site_of(b)) : NULL;
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

static void access_begins(struct block *b, IRExpr *addr, unsigned size)
{
	if (is_access_counted())
		emit_call(b, 3, "before", before,
			  mkIRExprVec_3(emit_const((Addr)site_of(b)), addr,
					emit_const(size)),
			  NULL);
}

static void access_ends(struct block *b)
{
	if (is_access_counted())
		emit_call(b, 0, "after", after, mkIRExprVec_0(), NULL);
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

static void put_branch(Addr pc, Addr to, unsigned flags)
{
	events_put((struct records_record){
		.kind = RECORDS_BRANCH, .pc = pc, .data = to, .flags = (uint8_t)flags});
}

/* A conditional branch was executed; offset: of the count of its outcome. */
static VG_REGPARM(2) void branch(const uint64_t *count, UWord offset)
{
	const struct records_branch *const br = (const struct records_branch *)count - 1;
	const unsigned i = (unsigned)(offset / sizeof *count);
	const unsigned taken = (i ^ br->inverted) & 1, predicted = i / 2 >= 2;
	unsigned flags = taken ? RECORD_TAKEN : 0;

	if (tool.parts & SIM_BRANCHES)
		flags |= RECORD_PREDICTED | (taken == predicted ? RECORD_RIGHT : 0);
	put_branch(br->pc, br->to[i & 1], flags);
}

static int are_outcomes_counted(void)
{
	return is_counted(CTR_BR_COND) || is_counted(CTR_BR_COND_TK) ||
	       is_counted(CTR_BR_MISP_TK) || is_counted(CTR_BR_MISP_NT) ||
	       is_counted(CTR_I1_REF);
}

static void outcome(struct block *b, IRExpr *offset, unsigned table)
{
	const struct records_branch id = {.pc = b->pc,
					  .to = {b->to[0], b->to[1]},
					  .inverted = !!(table & TOOL_INVERTED),
					  .crossing = !!(table & TOOL_CROSSING)};
	uint64_t *count;

	if (!events.on || !are_outcomes_counted())
		return;
	count = store_entry(ENTRY_BRANCH, &id, sizeof id, 8);
	emit_outcome(b, count, offset);
	if (events.interval[RECORDS_BRANCH])
		emit_call(b, 2, "branch", branch,
			  mkIRExprVec_2(emit_const((Addr)count), offset),
			  count_down(b, RECORDS_BRANCH, emit_const(1)));
}

static uint64_t mispredicted(void)
{
	return tool.count[CTR_BR_MISP_IND] + tool.count[CTR_BR_MISP_RET];
}

static VG_REGPARM(1) void before_jump(uint64_t *site)
{
	around.mispredicted = mispredicted();
	if (events.all.n)
		before(site, 0, 1);
}

/* An indirect jump or call, or a return, leads to an address. */
static VG_REGPARM(2) void after_jump(Addr pc, Addr to)
{
	unsigned flags = RECORD_TAKEN;

	if (events.all.n)
		after();
	if (!events.interval[RECORDS_BRANCH] || --events.left[RECORDS_BRANCH] > 0)
		return;
	if (tool.parts & SIM_TARGETS)
		flags |= RECORD_PREDICTED;
	if (mispredicted() == around.mispredicted)
		flags |= RECORD_RIGHT;
	put_branch(pc, to, flags);
}

/* A direct jump or call, whose prediction is right, completes an interval. */
static VG_REGPARM(2) void jump(Addr pc, Addr to)
{
	put_branch(pc, to, RECORD_TAKEN | RECORD_PREDICTED | RECORD_RIGHT);
}

static int is_direct(const struct block *b)
{
	return b->insn.kind == X86_JMP || b->insn.kind == X86_CALL;
}

static int are_targets_counted(const struct block *b)
{
	return b->insn.kind != X86_SYSCALL && !is_direct(b) &&
	       (events.interval[RECORDS_BRANCH] || is_counted(CTR_BR_MISP_IND) ||
		is_counted(CTR_BR_MISP_RET));
}

void record_before_jump(struct block *b)
{
	if (are_targets_counted(b))
		emit_call(b, 1, "before_jump", before_jump,
			  mkIRExprVec_1(emit_const((Addr)site_of(b))), NULL);
}

void record_after_jump(struct block *b, IRExpr *to)
{
	IRExpr *const pc = emit_const(b->pc);

	if (are_targets_counted(b))
		emit_call(b, 2, "after_jump", after_jump, mkIRExprVec_2(pc, to), NULL);
	else if (is_direct(b) && events.interval[RECORDS_BRANCH])
		emit_call(b, 2, "jump", jump, mkIRExprVec_2(pc, to),
			  count_down(b, RECORDS_BRANCH, emit_const(1)));
}

void record_open(const HChar *path)
{
	static const struct emit_recorder recorder = {.run = run,
						      .add = add,
						      .site = site,
						      .before = access_begins,
						      .after = access_ends,
						      .branch = outcome};

	events_open(path, &model_sim, insns);
	if (events.on)
		emit_recorder = &recorder;
}
