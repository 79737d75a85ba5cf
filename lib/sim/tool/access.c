/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/tool/model.h"

#include "pub_tool_machine.h"

#include "sim/model/model_fast.h"
#include "sim/model/twoway.h"
#include "sim/record/events.h"

/*
 * Of most accesses only misses are counted. Then an access has few things to look at, and
 * its helper has the address of the count of misses. Else it has that of the first count
 * of the instruction, its site.
 */
static int are_only_misses_counted(void)
{
	return !events.accesses.n;
}

uint64_t *access_counts(enum access kind, uint64_t pc)
{
	if (!events.on)
		return NULL;
	if (!are_only_misses_counted())
		return events_site(pc);
	return events.miss >= 0 && kind != ACCESS_FETCH ? &events_site(pc)[events.miss]
							: NULL;
}

/* ---- Any access */

static void record_fetch(Addr a, UWord size, uint64_t *site)
{
	struct events_before b;

	events_before(&b, &events.accesses, a, size);
	sim_fetch(&model_sim, a);
	events_after(&b, &events.accesses, site);
}

static void record_load(Addr a, UWord size, uint64_t *site)
{
	struct events_before b;

	events_before(&b, &events.accesses, a, size);
	sim_load(&model_sim, a, (unsigned)size);
	events_after(&b, &events.accesses, site);
}

static void record_store(Addr a, UWord size, uint64_t *site)
{
	struct events_before b;

	events_before(&b, &events.accesses, a, size);
	sim_store(&model_sim, a, (unsigned)size);
	events_after(&b, &events.accesses, site);
}

/* ---- Accesses of which only misses are counted */

/* Is the access in one line, and of the only CPU? */
static inline int is_simple(Addr a, UWord size)
{
	return model_sim.ncpus == 1 && !((a ^ (a + size - 1)) & ~model_sim.d1.line);
}

/* How far a miss went that has added these misses of L2 and L3. */
static inline unsigned reached(uint64_t l2, uint64_t l3)
{
	if (!l2)
		return 0;
	return model_sim.l3.ways && !l3 ? RECORD_L3 : RECORD_MEMORY;
}

static __attribute__((noinline)) void count_load(Addr a, UWord size, uint64_t *misses)
{
	const uint64_t *const count = model_sim.count;
	const uint64_t d1 = count[CTR_D1_RD_MISS], l2 = count[CTR_L2_RD_MISS],
		       l3 = count[CTR_L3_RD_MISS];

	if (!is_simple(a, size)) {
		record_load(a, size, misses - events.miss);
		return;
	}
	sim_load(&model_sim, a, (unsigned)size);
	if (count[CTR_D1_RD_MISS] != d1)
		events_miss(
			misses, a, CTR_D1_RD_MISS,
			reached(count[CTR_L2_RD_MISS] - l2, count[CTR_L3_RD_MISS] - l3),
			1);
}

static __attribute__((noinline)) void count_store(Addr a, UWord size, uint64_t *misses)
{
	const uint64_t *const count = model_sim.count;
	const uint64_t d1 = count[CTR_D1_WR_MISS], l2 = count[CTR_L2_WR_MISS],
		       l3 = count[CTR_L3_WR_MISS];

	if (!is_simple(a, size)) {
		record_store(a, size, misses - events.miss);
		return;
	}
	sim_store(&model_sim, a, (unsigned)size);
	if (count[CTR_D1_WR_MISS] != d1)
		events_miss(
			misses, a, CTR_D1_WR_MISS,
			reached(count[CTR_L2_WR_MISS] - l2, count[CTR_L3_WR_MISS] - l3),
			1);
}

/* ---- Helpers for all machines */

static VG_REGPARM(3) void site_fetch(Addr a, UWord size, uint64_t *site)
{
	record_fetch(a, size, site);
}

static VG_REGPARM(3) void site_load(Addr a, UWord size, uint64_t *site)
{
	if (__builtin_expect(sim_load_matters(&model_sim, a, (unsigned)size), 0))
		record_load(a, size, site);
}

static VG_REGPARM(3) void site_store(Addr a, UWord size, uint64_t *site)
{
	if (__builtin_expect(sim_store_matters(&model_sim, a, (unsigned)size), 0))
		record_store(a, size, site);
}

static VG_REGPARM(3) void any_load(Addr a, UWord size, uint64_t *misses)
{
	if (__builtin_expect(sim_load_matters(&model_sim, a, (unsigned)size), 0))
		count_load(a, size, misses);
}

static VG_REGPARM(3) void any_store(Addr a, UWord size, uint64_t *misses)
{
	if (__builtin_expect(sim_store_matters(&model_sim, a, (unsigned)size), 0))
		count_store(a, size, misses);
}

const struct access_helper *access_general(enum access kind)
{
	static const struct access_helper all[][2] = {
		[ACCESS_FETCH] = {{"site_fetch", site_fetch}},
		[ACCESS_LOAD] = {{"site_load", site_load}, {"any_load", any_load}},
		[ACCESS_STORE] = {{"site_store", site_store}, {"any_store", any_store}},
	};

	return &all[kind][are_only_misses_counted()];
}

/* ---- Accesses without a hint */

static VG_REGPARM(2) void fetch(Addr a, uint64_t *site)
{
	record_fetch(a, 1, site);
}

#define HELPERS(size)                                                      \
	static VG_REGPARM(2) void site_load##size(Addr a, uint64_t *site)  \
	{                                                                  \
		record_load(a, size, site);                                \
	}                                                                  \
	static VG_REGPARM(2) void site_store##size(Addr a, uint64_t *site) \
	{                                                                  \
		record_store(a, size, site);                               \
	}                                                                  \
	static VG_REGPARM(2) void load##size(Addr a, uint64_t *misses)     \
	{                                                                  \
		uint64_t absent;                                           \
                                                                           \
		if (twoway_load_usual(&model_sim, a, size, &absent))       \
			events_miss(misses, a, CTR_D1_RD_MISS, 0, absent); \
		else                                                       \
			count_load(a, size, misses);                       \
	}                                                                  \
	static VG_REGPARM(2) void store##size(Addr a, uint64_t *misses)    \
	{                                                                  \
		count_store(a, size, misses);                              \
	}
ACCESS_SIZES(HELPERS)

#define OF_SITE(size) \
	{{"site_load" #size, site_load##size}, {"site_store" #size, site_store##size}},
#define OF_MISSES(size) {{"load" #size, load##size}, {"store" #size, store##size}},

const struct access_helper *access_unhinted(enum access kind, unsigned size)
{
	static const struct access_helper fetches = {"fetch", fetch};
	static access_sized_t sites[] = {ACCESS_SIZES(OF_SITE)};
	static access_sized_t misses[] = {ACCESS_SIZES(OF_MISSES)};

	if (!model_sim.is_twoway)
		return NULL;
	if (kind == ACCESS_FETCH)
		return &fetches;
	return access_of_size(are_only_misses_counted() ? misses : sites, kind, size);
}
