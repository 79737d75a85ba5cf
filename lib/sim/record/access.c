/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/record/access.h"

#include "pub_tool_machine.h"

#include "sim/model/model_fast.h"
#include "sim/model/twoway.h"
#include "sim/record/events.h"

int access_is_counted(enum access kind)
{
	return events.on &&
	       (events.accesses.n || (events.miss >= 0 && kind != ACCESS_FETCH));
}

static void fetch(Addr a, uint64_t *site)
{
	struct events_before b;

	events_before(&b, &events.accesses, a, 1);
	sim_fetch(events.sim, a);
	events_after(&b, &events.accesses, site);
}

/*
 * Is this the usual access, that only misses are counted of, in one line and of the only
 * CPU? Then a miss has few things to look at.
 */
static inline int is_usual(Addr a, UWord size)
{
	const struct sim *const s = events.sim;

	return !events.accesses.n && s->ncpus == 1 &&
	       !((a ^ (a + size - 1)) & ~s->d1.line);
}

/* How far a miss went that has added these misses of L2 and L3. */
static inline unsigned reached(uint64_t l2, uint64_t l3)
{
	if (!l2)
		return 0;
	return events.sim->l3.ways && !l3 ? RECORD_L3 : RECORD_MEMORY;
}

static void unusual_load(Addr a, UWord size, uint64_t *site)
{
	struct events_before b;

	events_before(&b, &events.accesses, a, size);
	sim_load(events.sim, a, (unsigned)size);
	events_after(&b, &events.accesses, site);
}

static void unusual_store(Addr a, UWord size, uint64_t *site)
{
	struct events_before b;

	events_before(&b, &events.accesses, a, size);
	sim_store(events.sim, a, (unsigned)size);
	events_after(&b, &events.accesses, site);
}

static inline void load(Addr a, UWord size, uint64_t *site)
{
	const uint64_t *const count = events.sim->count;
	const uint64_t d1 = count[CTR_D1_RD_MISS], l2 = count[CTR_L2_RD_MISS],
		       l3 = count[CTR_L3_RD_MISS];

	if (!is_usual(a, size)) {
		unusual_load(a, size, site);
		return;
	}
	sim_load(events.sim, a, (unsigned)size);
	if (count[CTR_D1_RD_MISS] != d1)
		events_miss(
			site, a, CTR_D1_RD_MISS,
			reached(count[CTR_L2_RD_MISS] - l2, count[CTR_L3_RD_MISS] - l3),
			1);
}

static inline void store(Addr a, UWord size, uint64_t *site)
{
	const uint64_t *const count = events.sim->count;
	const uint64_t d1 = count[CTR_D1_WR_MISS], l2 = count[CTR_L2_WR_MISS],
		       l3 = count[CTR_L3_WR_MISS];

	if (!is_usual(a, size)) {
		unusual_store(a, size, site);
		return;
	}
	sim_store(events.sim, a, (unsigned)size);
	if (count[CTR_D1_WR_MISS] != d1)
		events_miss(
			site, a, CTR_D1_WR_MISS,
			reached(count[CTR_L2_WR_MISS] - l2, count[CTR_L3_WR_MISS] - l3),
			1);
}

static VG_REGPARM(3) void any_fetch(Addr a, UWord size, uint64_t *site)
{
	(void)size;
	fetch(a, site);
}

static VG_REGPARM(3) void any_load(Addr a, UWord size, uint64_t *site)
{
	if (__builtin_expect(sim_load_matters(events.sim, a, (unsigned)size), 0))
		load(a, size, site);
}

static VG_REGPARM(3) void any_store(Addr a, UWord size, uint64_t *site)
{
	if (__builtin_expect(sim_store_matters(events.sim, a, (unsigned)size), 0))
		store(a, size, site);
}

const struct access_helper *access_general(enum access kind)
{
	static const struct access_helper all[] = {{"any_fetch", any_fetch},
						   {"any_load", any_load},
						   {"any_store", any_store}};

	return &all[kind];
}

static VG_REGPARM(2) void unhinted_fetch(Addr a, uint64_t *site)
{
	fetch(a, site);
}

static inline void unhinted_load(Addr a, unsigned size, uint64_t *site)
{
	const uint64_t fills = events.sim->fills;

	if (events.accesses.n || !twoway_load_usual(events.sim, a, size))
		load(a, size, site);
	else
		events_miss(site, a, CTR_D1_RD_MISS, 0, events.sim->fills - fills);
}

#define SIZE(size)                                                    \
	static VG_REGPARM(2) void load##size(Addr a, uint64_t *site)  \
	{                                                             \
		unhinted_load(a, size, site);                         \
	}                                                             \
	static VG_REGPARM(2) void store##size(Addr a, uint64_t *site) \
	{                                                             \
		store(a, size, site);                                 \
	}
SIZE(1)
SIZE(2)
SIZE(4)
SIZE(8)
SIZE(16)
SIZE(32)

const struct access_helper *access_unhinted(enum access kind, unsigned size)
{
	static const struct access_helper fetches = {"unhinted_fetch", unhinted_fetch};
	static const struct access_helper all[][2] = {
		{{"load1", load1}, {"store1", store1}},
		{{"load2", load2}, {"store2", store2}},
		{{"load4", load4}, {"store4", store4}},
		{{"load8", load8}, {"store8", store8}},
		{{"load16", load16}, {"store16", store16}},
		{{"load32", load32}, {"store32", store32}},
	};

	if (!events.sim->is_twoway)
		return NULL;
	if (kind == ACCESS_FETCH)
		return &fetches;
	if (size > 32 || !is_pow2(size))
		return NULL;
	return &all[floor_log2(size)][kind == ACCESS_STORE];
}
