/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/tool/model.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_machine.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_vki.h"

#include "sim/model/model_fast.h"
#include "sim/model/twoway.h"

/* An internal function of the core, which allocates whole pages. */
extern SysRes VG_(am_mmap_anon_float_valgrind)(SizeT length);

struct sim model_sim;
struct model_string model_string;
struct model_straddle model_straddle;

static void *alloc(size_t size)
{
	const SysRes r = VG_(am_mmap_anon_float_valgrind)(VG_PGROUNDUP(size));

	return sr_isError(r) ? NULL : (void *)sr_Res(r);
}

/*
 * Returns an address in the page of the last fetch. The guest's instruction pointer is in
 * this page: each block begins with it exact, and instr.c stores it where a block fetches
 * from a further page.
 */
static uint64_t fetched(void)
{
	const Addr pc = VG_(get_IP)(VG_(get_running_tid)());

	return pc == model_straddle.pc ? model_straddle.end : pc;
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
	.turn = 50,
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
	if (sim_open(&model_sim, &own, 0, tool.count, alloc, fetched))
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
	case CTR_SCHED16:
		return 0;
	default:
		return c > CTR_BR_MISP_RET ? SIM_CACHES : 0;
	}
}

/* Simulates these parts too. Returns -1 if memory runs out. */
static int enable(unsigned parts)
{
	const uint64_t loads =
		1ULL << CTR_LOAD | 1ULL << CTR_UNAL_LD | 1ULL << CTR_SCHED16;

	/* The TLB decides which prefetches reach the caches, whatever is requested. */
	if ((parts & SIM_CACHES) && !tool.machine->prefetch_walk)
		parts |= SIM_TLBS;
	if ((parts & ~tool.parts) && sim_enable(&model_sim, parts & ~tool.parts))
		return -1;
	tool.parts |= parts;
	tool.needs_loads = (tool.requested & loads) || model_needs_addresses();
	return 0;
}

int model_simulate(uint64_t mask)
{
	unsigned parts = 0;

	for (int c = 0; c < SIM_NCOUNTERS; c++)
		if (mask >> c & 1)
			parts |= part_of(c);
	return enable(parts);
}

int model_request(uint64_t mask)
{
	const uint64_t all = SIM_NCOUNTERS < 64 ? (1ULL << SIM_NCOUNTERS) - 1 : ~0ULL;
	const uint64_t before = tool.requested;

	tool.requested |= mask & all;
	if (!model_simulate(mask))
		return 0;
	tool.requested = before;
	return -1;
}

void model_share(void)
{
	if (tool.parts & SIM_CACHES)
		return;
	if (enable(SIM_CACHES))
		tool_die("out of memory to simulate machine", tool.machine->name);
	tool_retranslate();
}

int model_needs_addresses(void)
{
	return !!(tool.parts & (SIM_CACHES | SIM_TLBS));
}

int model_switch_cpu(unsigned cpu)
{
	return sim_switch_cpu(&model_sim, cpu);
}

void model_settle(void)
{
	sim_settle(&model_sim);
}

void model_collect_external(unsigned cpu)
{
	sim_collect_external(&model_sim, cpu, tool.count);
}

Addr model_line(Addr addr)
{
	return addr & ~((Addr)tool.machine->i1.line - 1);
}

int model_same_page(Addr a, Addr b)
{
	return (a | model_sim.ipage_low) == (b | model_sim.ipage_low);
}

/*
 * Helpers for up to three accesses: one helper for each sequence of fetches (F), loads
 * (L) and stores (S), as generated code would lose time with a call for each access, or
 * with a test of the kind.
 */
#define SIZE(i)	   (sizes >> MODEL_SIZE_BITS * (i)&0xffff)
#define DO_F(a, i) sim_fetch_fast(&model_sim, a)
#define DO_L(a, i) sim_load_fast(&model_sim, a, SIZE(i))
#define DO_S(a, i) sim_store_fast(&model_sim, a, SIZE(i))

#define HELPER1(x)                                                   \
	static VG_REGPARM(2) void do_##x(Addr a, UNUSED UWord sizes) \
	{                                                            \
		DO_##x(a, 0);                                        \
	}
#define HELPER2(x, y)                                                           \
	static VG_REGPARM(3) void do_##x##y(Addr a, Addr b, UNUSED UWord sizes) \
	{                                                                       \
		DO_##x(a, 0);                                                   \
		DO_##y(b, 1);                                                   \
	}
#define HELPER3(x, y, z)                                                     \
	static void do_##x##y##z(Addr a, Addr b, Addr c, UNUSED UWord sizes) \
	{                                                                    \
		DO_##x(a, 0);                                                \
		DO_##y(b, 1);                                                \
		DO_##z(c, 2);                                                \
	}
#define ROW1(x)		     {#x, do_##x},
#define ROW2(x, y)	     {#x #y, do_##x##y},
#define ROW3(x, y, z)	     {#x #y #z, do_##x##y##z},
#define EACH1(m)	     m(F) m(L) m(S)
#define EACH2(m, x)	     m(x, F) m(x, L) m(x, S)
#define EACH3(m, x, y)	     m(x, y, F) m(x, y, L) m(x, y, S)
#define ALL2(m)		     EACH2(m, F) EACH2(m, L) EACH2(m, S)
#define ALL3X(m, x)	     EACH3(m, x, F) EACH3(m, x, L) EACH3(m, x, S)
#define ALL3(m)		     ALL3X(m, F) ALL3X(m, L) ALL3X(m, S)
#define ALL(one, two, three) EACH1(one) ALL2(two) ALL3(three)

ALL(HELPER1, HELPER2, HELPER3)

const struct access_helper *model_helper(const enum access *kind, unsigned n)
{
	static const struct access_helper all[3 + 9 + 27] = {ALL(ROW1, ROW2, ROW3)};

	if (n == 1)
		return &all[kind[0]];
	if (n == 2)
		return &all[3 + 3 * kind[0] + kind[1]];
	return &all[12 + 9 * kind[0] + 3 * kind[1] + kind[2]];
}

static VG_REGPARM(1) void fetch(Addr a)
{
	twoway_fetch(&model_sim, a);
}

/* Helpers for accesses of one size. */
#define ACCESS(size)                                                   \
	static VG_REGPARM(1) void load##size(Addr a)                   \
	{                                                              \
		uint64_t is_miss;                                      \
                                                                       \
		if (!twoway_load_usual(&model_sim, a, size, &is_miss)) \
			twoway_load(&model_sim, a, size);              \
	}                                                              \
	static VG_REGPARM(1) void store##size(Addr a)                  \
	{                                                              \
		twoway_store(&model_sim, a, size);                     \
	}                                                              \
	static VG_REGPARM(1) void modify##size(Addr a)                 \
	{                                                              \
		twoway_modify(&model_sim, a, size);                    \
	}
ACCESS_SIZES(ACCESS)

#define ACCESS_ROW(size)               \
	{{"load" #size, load##size},   \
	 {"store" #size, store##size}, \
	 {"modify" #size, modify##size}},

const struct access_helper *model_unhinted(enum access kind, unsigned size)
{
	static const struct access_helper fetches = {"fetch", fetch};
	static access_sized_t all[] = {ACCESS_SIZES(ACCESS_ROW)};

	if (!model_sim.is_twoway)
		return NULL;
	if (kind == ACCESS_FETCH)
		return &fetches;
	return access_of_size(all, kind, size);
}
