/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tool_model.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_vki.h"

#include "model_fast.h"

/* One allocation of the core's is at least a page: what is small shares one. */
extern SysRes VG_(am_mmap_anon_float_valgrind)(SizeT length);

struct sim model_sim;
struct model_string model_string;

static void *grow(size_t size)
{
	const SysRes r = VG_(am_mmap_anon_float_valgrind)(VG_PGROUNDUP(size));

	return sr_isError(r) ? NULL : (void *)sr_Res(r);
}

const struct machine *model_machine(const HChar *name)
{
	for (const struct machine *const *m = machines; *m; m++)
		if (!VG_(strcmp)((*m)->name, name))
			return *m;
	return NULL;
}

void model_open(void)
{
	model_string = MODEL_NO_STRING;
	if (sim_open(&model_sim, tool.machine, 0, tool.count, grow))
		tool_die("cannot simulate", tool.name);
}

static unsigned part_of(enum sim_counter c)
{
	switch (c) {
	case CTR_BR_MISP_TK:
	case CTR_BR_MISP_NT:
		return SIM_BRANCHES;
	case CTR_BR_MISP_IND:
	case CTR_BR_MISP_RET:
		return SIM_TARGETS;
	case CTR_DTLB1_MISS:
	case CTR_DTLB_MISS:
	case CTR_ITLB1_MISS:
	case CTR_ITLB_MISS:
		return SIM_TLBS;
	default:
		return c > CTR_BR_MISP_RET ? SIM_CACHES : 0;
	}
}

int model_ask(uint64_t mask)
{
	const uint64_t loads = 1ULL << CTR_LOAD | 1ULL << CTR_UNAL_LD;
	unsigned parts = 0;

	for (int c = 0; c < SIM_NCOUNTERS; c++)
		if (mask >> c & 1)
			parts |= part_of(c);
	if ((parts & ~tool.parts) && sim_add(&model_sim, parts & ~tool.parts))
		return -1;
	tool.parts |= parts;
	tool.asked |= mask & (SIM_NCOUNTERS < 64 ? (1ULL << SIM_NCOUNTERS) - 1 : ~0ULL);
	tool.touches = (tool.asked & loads) || model_touches();
	return 0;
}

int model_touches(void)
{
	return !!(tool.parts & (SIM_CACHES | SIM_TLBS));
}

int model_cpu(unsigned cpu)
{
	return sim_cpu(&model_sim, cpu);
}

void model_take_external(unsigned cpu)
{
	sim_take_external(&model_sim, cpu, tool.count);
}

Addr model_line(Addr addr)
{
	return addr & ~((Addr)tool.machine->i1.line - 1);
}

/*
 * Helpers for up to three accesses, one for each sequence of kinds (F, L, S): generated code
 * calls them, so a call is dear, and a look at the kind as well.
 */
#define DO_F(a, i) sim_fetch_fast(&model_sim, a)
#define DO_L(a, i) sim_load_fast(&model_sim, a, sizes >> MODEL_SIZE_BITS * (i)&0xffff)
#define DO_S(a, i) sim_store_fast(&model_sim, a, sizes >> MODEL_SIZE_BITS * (i)&0xffff)

#define HELPER1(x)                                                      \
	static VG_REGPARM(2) void model_##x(Addr a, UNUSED UWord sizes) \
	{                                                               \
		DO_##x(a, 0);                                           \
	}
#define HELPER2(x, y)                                                              \
	static VG_REGPARM(3) void model_##x##y(Addr a, Addr b, UNUSED UWord sizes) \
	{                                                                          \
		DO_##x(a, 0);                                                      \
		DO_##y(b, 1);                                                      \
	}
#define HELPER3(x, y, z)                                                        \
	static void model_##x##y##z(Addr a, Addr b, Addr c, UNUSED UWord sizes) \
	{                                                                       \
		DO_##x(a, 0);                                                   \
		DO_##y(b, 1);                                                   \
		DO_##z(c, 2);                                                   \
	}
#define ROW1(x)	       {#x, model_##x},
#define ROW2(x, y)     {#x #y, model_##x##y},
#define ROW3(x, y, z)  {#x #y #z, model_##x##y##z},
#define EACH1(m)       m(F) m(L) m(S)
#define EACH2(m, x)    m(x, F) m(x, L) m(x, S)
#define EACH3(m, x, y) m(x, y, F) m(x, y, L) m(x, y, S)
#define ALL2(m)	       EACH2(m, F) EACH2(m, L) EACH2(m, S)
#define ALL3X(m, x)    EACH3(m, x, F) EACH3(m, x, L) EACH3(m, x, S)
#define ALL3(m)	       ALL3X(m, F) ALL3X(m, L) ALL3X(m, S)

EACH1(HELPER1)
ALL2(HELPER2)
ALL3(HELPER3)

const struct model_helper *model_helper(const enum access *what, unsigned n)
{
	static const struct model_helper one[] = {EACH1(ROW1)};
	static const struct model_helper two[] = {ALL2(ROW2)};
	static const struct model_helper three[] = {ALL3(ROW3)};

	if (n == 1)
		return &one[what[0]];
	if (n == 2)
		return &two[3 * what[0] + what[1]];
	return &three[9 * what[0] + 3 * what[1] + what[2]];
}
