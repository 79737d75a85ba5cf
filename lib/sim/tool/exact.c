/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/tool/exact.h"

#include "libvex_guest_amd64.h"
#include "pub_tool_options.h"

#include "sim/model/model.h"
#include "sim/tool/data.h"
#include "sim/tool/emit.h"

/* VEX's own copy of its options, which no header declares. */
extern VexControl vex_control;

/* The block that is to be translated with exact registers. */
static struct {
	int on;
	Addr address;
	VexRegisterUpdates file_backed, other; /* the usual options */
} exact;

static VG_REGPARM(1) void set_exact(Addr address)
{
	if (!exact.on) {
		exact.file_backed = VG_(clo_px_file_backed);
		exact.other = vex_control.iropt_register_updates_default;
	}
	exact.on = 1;
	exact.address = address;
	VG_(clo_px_file_backed) = VexRegUpdAllregsAtEachInsn;
	vex_control.iropt_register_updates_default = VexRegUpdAllregsAtEachInsn;
}

static void set_usual(void)
{
	exact.on = 0;
	VG_(clo_px_file_backed) = exact.file_backed;
	vex_control.iropt_register_updates_default = exact.other;
}

/* A prefetch leaves no code; its address, too, needs exact registers. */
static int lacks_access(const IRSB *in, int from, int end)
{
	const IRStmt *const mark = in->stmts[from];
	struct x86_insn x;

	if (!mark->Ist.IMark.len ||
	    x86_decode((const uint8_t *)mark->Ist.IMark.addr, mark->Ist.IMark.len, &x))
		return 0;
	return (x.kind == X86_PREFETCH &&
		(model_needs_addresses() || tool_requested(CTR_SCHED16))) ||
	       data_lacks_load(&x, in, from + 1, end);
}

int exact_wanted(const IRSB *in, Addr address)
{
	if (exact.on) {
		if (address == exact.address)
			set_usual();
		return 0;
	}
	if (!tool.needs_loads)
		return 0;
	for (int i = 0, end; i < in->stmts_used; i = end) {
		for (end = i + 1; end < in->stmts_used; end++)
			if (in->stmts[end]->tag == Ist_IMark)
				break;
		if (in->stmts[i]->tag == Ist_IMark && lacks_access(in, i, end))
			return 1;
	}
	return 0;
}

IRSB *exact_block(const IRSB *in, Addr address, Addr start)
{
	struct block b = {.out = deepCopyIRSBExceptStmts(in)};

	emit(&b, IRStmt_IMark(start, 1, 0));
	emit_call(&b, 1, "set_exact", set_exact, mkIRExprVec_1(emit_const(address)),
		  NULL);
	emit(&b,
	     IRStmt_Put(offsetof(VexGuestAMD64State, guest_CMSTART), emit_const(start)));
	emit(&b, IRStmt_Put(offsetof(VexGuestAMD64State, guest_CMLEN), emit_const(1)));
	b.out->next = emit_const(address);
	b.out->jumpkind = Ijk_InvalICache;
	return b.out;
}
