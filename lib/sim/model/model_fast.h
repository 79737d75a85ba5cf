/*
 * The model's calls for code that makes them all the time: the same contract, with what
 * changes nothing but a clock on the wall decided in line.
 *
 * Conditional branches may be predicted in generated code, with the same result as
 * sim_cond(), which is the reference:
 *
 *	index = sim_bp_index(m, pc);				constant for a pc
 *	index ^= s->history;					BP_GSHARE alone
 *	i = s->bp[index] * 2 + taken;
 *	s->bp[index] = SIM_BP_NEXT >> 2 * i & 3;
 *	s->count[CTR_BR_MISP_TK] += SIM_BP_MISP_TK >> i & 1;	likewise _nt
 *	s->history = (s->history << 1 | taken) & sim_bp_history(m);	BP_GSHARE alone
 *
 * s->bp and s->history are the running CPU's and are exchanged by sim_switch_cpu(); both have
 * to be read each time. s->bp is NULL while SIM_BRANCHES is off. i1_ref and the like are
 * the caller's as ever.
 */
#ifndef SIM_MODEL_MODEL_FAST_H
#define SIM_MODEL_MODEL_FAST_H

#include "sim/model/model.h"

/* By state * 2 + taken: two bits each, one bit each. */
#define SIM_BP_NEXT    0xed84u
#define SIM_BP_MISP_TK 0x0au
#define SIM_BP_MISP_NT 0x50u

static inline unsigned sim_bp_index(const struct machine *m, uint64_t pc)
{
	const uint64_t fold = m->bp_fold ? pc >> m->bp_fold : 0;

	return (pc >> m->bp_shift ^ fold) & (m->bp_entries - 1);
}

/* The bits of the history that count. */
static inline uint64_t sim_bp_history(const struct machine *m)
{
	return m->bp == BP_GSHARE ? (UINT64_C(1) << m->bp_hist) - 1 : 0;
}

/*
 * Nothing happens at a fetch, load or store where all of these are 0: the line is whole
 * and the first of its set, the page is known to be in the TLB (the fetch: is that of
 * the last one), it is one line; and of a store: it is dirty already, or goes into the
 * last block. The line is looked at first, as it is what is most often another one.
 */
static inline void sim_fetch_fast(struct sim *s, uint64_t addr)
{
	const struct simcpu *c = s->cpu;
	const uint64_t line = *cache_set(&s->i1, c->i1, addr) ^ (addr | s->i1.low);
	const uint64_t page = c->ipage ^ (addr | s->ipage_low);

	if (__builtin_expect(line || page, 0))
		sim_fetch(s, addr);
}

static inline uint64_t sim_page_diff(const struct sim *s, uint64_t addr)
{
	return s->cpu->dpage[addr >> s->dshift & (SIM_PAGES - 1)] ^ (addr | s->dpage_low);
}

static inline void sim_load_fast(struct sim *s, uint64_t addr, unsigned size)
{
	const uint64_t word = *cache_set(&s->d1, s->cpu->d1, addr) | WORD_DIRTY;
	const uint64_t line = word ^ (addr | s->d1.low);
	const uint64_t ends = (addr ^ (addr + size - 1)) & ~s->d1.line;

	if (__builtin_expect(line || (sim_page_diff(s, addr) | ends), 0))
		sim_load(s, addr, size);
}

static inline void sim_store_fast(struct sim *s, uint64_t addr, unsigned size)
{
	const uint64_t word = *cache_set(&s->d1, s->cpu->d1, addr) | s->ignore_dirty;
	const uint64_t line = word ^ (addr | s->d1.low);
	const uint64_t block = s->cpu->store_block ^ (addr | s->block_low);
	const uint64_t ends = (addr ^ (addr + size - 1)) & s->split_bits;

	if (__builtin_expect(line || (block | sim_page_diff(s, addr) | ends), 0))
		sim_store(s, addr, size);
}

#endif
