/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/tool/tool.h"

#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_machine.h"

#include "sim/guard/failure.h"
#include "sim/model/model_fast.h"

/* A function of the core that its headers for tools do not declare. */
extern void VG_(discard_translations)(Addr start, ULong range, const HChar *who);

struct tool tool;

void tool_die(const HChar *what, const HChar *which)
{
	HChar text[512];

	VG_(snprintf)(text, sizeof text, "cpcsim: %s: %s\n", what, which);
	VG_(write)(2, text, VG_(strlen)(text));
	failure_note("%s: %s", what, which);
	VG_(exit)(1);
}

void tool_retranslate(void)
{
	VG_(discard_translations)(0x1000, ~0xfffULL, "cpcsim");
}

static void settle_words(ThreadId tid)
{
	static const struct tool_words none;
	struct tool_words words;

	VG_(get_shadow_regs_area)(tid, (UChar *)&words, 1, 0, sizeof words);
	VG_(set_shadow_regs_area)(tid, 1, 0, sizeof none, (const UChar *)&none);
	const uint64_t loads = words.insn_load >> TOOL_FIELD_BITS;
	const uint64_t stores = words.store_i1_ref & TOOL_LOW;

	tool.count[CTR_INSN] += words.insn_load & TOOL_LOW;
	tool.count[CTR_LOAD] += loads;
	tool.count[CTR_D1_RD] += loads;
	tool.count[CTR_STORE] += stores;
	tool.count[CTR_D1_WR] += stores;
	tool.count[CTR_I1_REF] += words.store_i1_ref >> TOOL_FIELD_BITS;
	tool.count[CTR_SCHED16] += words.sched16;
}

/* Counts n branches that found the predictor in a state, and were taken or not. */
static void settle_branches(unsigned table, unsigned state, unsigned taken, uint64_t n)
{
	const unsigned i = state * 2 + taken;

	tool.count[CTR_BR_COND] += n;
	tool.count[CTR_BR_COND_TK] += taken ? n : 0;
	tool.count[CTR_I1_REF] += taken || (table & TOOL_CROSSING) ? n : 0;
	tool.count[CTR_BR_MISP_TK] += SIM_BP_MISP_TK >> i & 1 ? n : 0;
	tool.count[CTR_BR_MISP_NT] += SIM_BP_MISP_NT >> i & 1 ? n : 0;
}

void tool_settle(ThreadId tid)
{
	settle_words(tid);
	for (unsigned table = 0; table < TOOL_BRANCHES; table++)
		for (unsigned i = 0; i < 8; i++) {
			const unsigned taken = (i ^ (table & TOOL_INVERTED)) & 1;

			settle_branches(table, i / 2, taken, tool.branch[table][i]);
			tool.branch[table][i] = 0;
		}
}
