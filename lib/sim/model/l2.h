/* L2 and what is beyond it: L3, and the other CPUs that may have the line. */
#ifndef SIM_MODEL_L2_H
#define SIM_MODEL_L2_H

#include "sim/model/model_state.h"

/* Who asks: a miss of L1I, a load or prefetch, a store. */
enum l2_kind { L2_INSN, L2_READ, L2_WRITE };

/* As l2_ref(), of a reference that may change something. */
void l2_ref_slow(struct sim *s, uint64_t addr, enum l2_kind kind);

/* Of the running CPU's way table; where there is none, it has one entry and that is 0. */
static inline uint8_t *l2_way(const struct sim *s, uint64_t addr)
{
	return &s->cpu->way[addr >> s->l2shift & s->waymask];
}

/*
 * Does a reference change nothing? So it is if the line is whole and in the way
 * predicted, or first of its set; and for a store: dirty.
 */
static inline int l2_is_plain_hit(const struct sim *s, uint64_t addr, enum l2_kind kind)
{
	const uint64_t word = cache_set(&s->l2, s->cpu->l2, addr)[*l2_way(s, addr)];
	const uint64_t clean = kind == L2_WRITE ? 0 : WORD_DIRTY | WORD_EXCLUSIVE;

	return (word | clean) == (addr | s->l2.low);
}

/* A reference of the running CPU; counts what comes of it, but not the reference. */
static inline void l2_ref(struct sim *s, uint64_t addr, enum l2_kind kind)
{
	if (!l2_is_plain_hit(s, addr, kind))
		l2_ref_slow(s, addr, kind);
}

/*
 * What misses here likely misses the caches of the machine that simulates, too: there the
 * access itself comes after its simulation and waits for memory alone, as nothing overlaps
 * it. Where misses go in even steps, the line that is AHEAD steps from here is asked for
 * now, all of it (line: its bytes). It changes nothing but the clock on the wall, and a
 * prefetch never faults.
 */
static inline void l2_prefetch_host(struct sim *s, uint64_t addr, uint64_t line)
{
	enum { AHEAD = 8, HOST_LINE = 64 };
	struct simcpu *c = s->cpu;
	const uint64_t step = addr - c->last_miss;

	if (step == c->miss_stride)
		for (uint64_t off = 0; off < line; off += HOST_LINE)
			__builtin_prefetch(
				(const void *)(uintptr_t)(addr + AHEAD * step + off));
	c->last_miss = addr;
	c->miss_stride = step;
}

/* The running CPU is to have the line alone and dirty, if it has it at all. */
void l2_make_dirty(struct sim *s, uint64_t addr);

#endif
