/* References to L2, with what they cause in L3 and in the caches of other CPUs. */
#ifndef SIM_MODEL_L2_H
#define SIM_MODEL_L2_H

#include "sim/model/model_state.h"

/* The origin of a reference: a miss of L1I, a load or prefetch, a store. */
enum l2_kind { L2_INSN, L2_READ, L2_WRITE };

/* As l2_ref(), for a reference that is no plain hit. */
void l2_ref_slow(struct sim *s, uint64_t addr, enum l2_kind kind);

/* Returns the way-table entry of addr. Without a way table it is always 0. */
static inline uint8_t *l2_way(const struct sim *s, uint64_t addr)
{
	return &s->cpu->way[addr >> s->l2shift & s->waymask];
}

/*
 * Returns whether a reference changes no state: the line has all sub-blocks, is in the
 * predicted way (without a way table: first in its set), and is dirty if this is a store.
 */
static inline int l2_is_plain_hit(const struct sim *s, uint64_t addr, enum l2_kind kind)
{
	const uint64_t word = cache_set(&s->l2, s->cpu->l2, addr)[*l2_way(s, addr)];
	const uint64_t clean = kind == L2_WRITE ? 0 : WORD_DIRTY | WORD_EXCLUSIVE;

	return (word | clean) == (addr | s->l2.low);
}

/* A reference by the running CPU, with its effects; the caller counts the reference. */
static inline void l2_ref(struct sim *s, uint64_t addr, enum l2_kind kind)
{
	if (!l2_is_plain_hit(s, addr, kind))
		l2_ref_slow(s, addr, kind);
}

/*
 * Prefetches for the host, the machine that simulates. A miss here is likely a miss there
 * as well, and the program's own access, after the simulated one, would wait for memory.
 * When misses follow each other at a constant stride, this prefetches the line that is
 * AHEAD strides further on (line: its bytes). Only the time of the simulation changes; a
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

/* If the running CPU's L2 has the line of addr, makes it exclusive and dirty. */
void l2_make_dirty(struct sim *s, uint64_t addr);

#endif
