/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/tool/model.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_vki.h"

#include "sim/model/model_fast.h"
#include "sim/model/twoway.h"

/* An internal function of the core, which allocates whole pages. */
extern SysRes VG_(am_mmap_anon_float_valgrind)(SizeT length);

struct sim model_sim;
struct model_string model_string;

static void *alloc(size_t size)
{
	const SysRes r = VG_(am_mmap_anon_float_valgrind)(VG_PGROUNDUP(size));

	return sr_isError(r) ? NULL : (void *)sr_Res(r);
}

/* The machine of a process whose pages cannot be opened, and which counts nothing. */
static const struct machine uncounted = {
	.name = "none",
	.title = "none",
	.i1 = {4096, 64, 64, 1, REPL_LRU, 0, 0, 0},
	.d1 = {4096, 64, 64, 1, REPL_LRU, 1, 1, 0},
	.l2 = {4096, 64, 64, 1, REPL_LRU, 1, 1, 0},
	.joint = 1,
	.dtlb = {1, 0, 4096, REPL_FIFO},
	.bp_entries = 1,
};

static void fault(UNUSED void *arg, const char *key, const char *text)
{
	tool_die(text ? text : "a value of the machine is out of range", key);
}

void model_open(const struct machine *m)
{
	static struct machine own;

	VG_(memcpy)(&own, m ? m : &uncounted, sizeof own);
	if (m)
		machine_check(&own, NULL, fault);
	tool.machine = &own;
	model_string = MODEL_NO_STRING;
	if (sim_open(&model_sim, &own, 0, tool.count, alloc))
		tool_die("cannot set up the model of machine", own.name);
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

int model_request(uint64_t mask)
{
	const uint64_t loads = 1ULL << CTR_LOAD | 1ULL << CTR_UNAL_LD;
	unsigned parts = 0;

	for (int c = 0; c < SIM_NCOUNTERS; c++)
		if (mask >> c & 1)
			parts |= part_of(c);
	/* The TLB decides which prefetches reach the caches, whatever is requested. */
	if ((parts & SIM_CACHES) && !tool.machine->prefetch_walk)
		parts |= SIM_TLBS;
	if ((parts & ~tool.parts) && sim_enable(&model_sim, parts & ~tool.parts))
		return -1;
	tool.parts |= parts;
	tool.requested |=
		mask & (SIM_NCOUNTERS < 64 ? (1ULL << SIM_NCOUNTERS) - 1 : ~0ULL);
	tool.needs_loads = (tool.requested & loads) || model_needs_addresses();
	return 0;
}

int model_needs_addresses(void)
{
	return !!(tool.parts & (SIM_CACHES | SIM_TLBS));
}

int model_switch_cpu(unsigned cpu)
{
	return sim_switch_cpu(&model_sim, cpu);
}

void model_collect_external(unsigned cpu)
{
	sim_collect_external(&model_sim, cpu, tool.count);
}

Addr model_line(Addr addr)
{
	return addr & ~((Addr)tool.machine->i1.line - 1);
}

/*
 * Helpers for up to three accesses: one helper for each sequence of fetches (F), loads
 * (L) and stores (S), as generated code would lose time with a call for each access, or
 * with a test of the kind. Each exists for all machines (sim), and for those of twoway.h.
 */
#define SIZE(i)	       (sizes >> MODEL_SIZE_BITS * (i)&0xffff)
#define DO_F(to, a, i) to##_fetch_fast(&model_sim, a)
#define DO_L(to, a, i) to##_load_fast(&model_sim, a, SIZE(i))
#define DO_S(to, a, i) to##_store_fast(&model_sim, a, SIZE(i))

#define HELPER1(to, x)                                                 \
	static VG_REGPARM(2) void to##_##x(Addr a, UNUSED UWord sizes) \
	{                                                              \
		DO_##x(to, a, 0);                                      \
	}
#define HELPER2(to, x, y)                                                         \
	static VG_REGPARM(3) void to##_##x##y(Addr a, Addr b, UNUSED UWord sizes) \
	{                                                                         \
		DO_##x(to, a, 0);                                                 \
		DO_##y(to, b, 1);                                                 \
	}
#define HELPER3(to, x, y, z)                                                   \
	static void to##_##x##y##z(Addr a, Addr b, Addr c, UNUSED UWord sizes) \
	{                                                                      \
		DO_##x(to, a, 0);                                              \
		DO_##y(to, b, 1);                                              \
		DO_##z(to, c, 2);                                              \
	}
#define ROW1(to, x)		 {#x, to##_##x},
#define ROW2(to, x, y)		 {#x #y, to##_##x##y},
#define ROW3(to, x, y, z)	 {#x #y #z, to##_##x##y##z},
#define EACH1(m, to)		 m(to, F) m(to, L) m(to, S)
#define EACH2(m, to, x)		 m(to, x, F) m(to, x, L) m(to, x, S)
#define EACH3(m, to, x, y)	 m(to, x, y, F) m(to, x, y, L) m(to, x, y, S)
#define ALL2(m, to)		 EACH2(m, to, F) EACH2(m, to, L) EACH2(m, to, S)
#define ALL3X(m, to, x)		 EACH3(m, to, x, F) EACH3(m, to, x, L) EACH3(m, to, x, S)
#define ALL3(m, to)		 ALL3X(m, to, F) ALL3X(m, to, L) ALL3X(m, to, S)
#define ALL(one, two, three, to) EACH1(one, to) ALL2(two, to) ALL3(three, to)

ALL(HELPER1, HELPER2, HELPER3, sim)
ALL(HELPER1, HELPER2, HELPER3, twoway)

const struct model_helper *model_helper(const enum access *kind, unsigned n)
{
	static const struct model_helper all[][3 + 9 + 27] = {
		{ALL(ROW1, ROW2, ROW3, sim)}, {ALL(ROW1, ROW2, ROW3, twoway)}};
	const struct model_helper *const h = all[model_sim.is_twoway];

	if (n == 1)
		return &h[kind[0]];
	if (n == 2)
		return &h[3 + 3 * kind[0] + kind[1]];
	return &h[12 + 9 * kind[0] + 3 * kind[1] + kind[2]];
}
