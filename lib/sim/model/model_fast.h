/*
 * The model's calls for generated code, which makes them all the time: the same results,
 * but an access that changes no state is recognised in line.
 *
 * Conditional branches may be predicted in generated code, with the same result as
 * sim_cond(), which is the reference:
 *
 *	index = sim_bp_index(m, pc);				constant for a pc
 *	index ^= s->history;					BP_GSHARE only
 *	i = s->bp[index] / SIM_BP_SCALE * 2 + taken;
 *	s->bp[index] = (SIM_BP_NEXT >> 2 * i & 3) * SIM_BP_SCALE;
 *	s->count[CTR_BR_MISP_TK] += SIM_BP_MISP_TK >> i & 1;	likewise _nt
 *	s->history = (s->history << 1 | taken) & sim_bp_history(m);	BP_GSHARE only
 *
 * s->bp and s->history belong to the running CPU and sim_switch_cpu() changes them: read
 * both each time. s->bp is NULL while SIM_BRANCHES is off. As with the other calls, the
 * caller counts i1_ref, d1_rd and d1_wr.
 */
#ifndef SIM_MODEL_MODEL_FAST_H
#define SIM_MODEL_MODEL_FAST_H

#include "sim/model/model.h"

/* Tables with an entry of 2 bits (the next state) or 1 bit for each state * 2 + taken. */
#define SIM_BP_NEXT    0xed84u
#define SIM_BP_MISP_TK 0x0au
#define SIM_BP_MISP_NT 0x50u

static inline unsigned sim_bp_index(const struct machine *m, uint64_t pc)
{
	const uint64_t fold = m->bp_fold ? pc >> m->bp_fold : 0;

	return (pc >> m->bp_shift ^ fold) & (m->bp_entries - 1);
}

/* Returns the mask of the history bits that the predictor uses. */
static inline uint64_t sim_bp_history(const struct machine *m)
{
	return m->bp == BP_GSHARE ? (UINT64_C(1) << m->bp_hist) - 1 : 0;
}

/*
 * A fetch, load or store changes no state if all these differences are 0: the line is
 * complete and first in its set, the page is remembered (of a fetch: is the last page),
 * the access is within one line, and a store finds the line dirty or goes to the same
 * block as the last one. The line is compared first, as it differs most often.
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

/* Does a load, a store, change the state? */
static inline int sim_load_matters(const struct sim *s, uint64_t addr, unsigned size)
{
	const uint64_t word = *cache_set(&s->d1, s->cpu->d1, addr) | WORD_DIRTY;
	const uint64_t line = word ^ (addr | s->d1.low);
	const uint64_t ends = (addr ^ (addr + size - 1)) & ~s->d1.line;

	return line || (sim_page_diff(s, addr) | ends);
}

static inline int sim_store_matters(const struct sim *s, uint64_t addr, unsigned size)
{
	const uint64_t word = *cache_set(&s->d1, s->cpu->d1, addr) | s->ignore_dirty;
	const uint64_t line = word ^ (addr | s->d1.low);
	const uint64_t block = s->cpu->store_block ^ (addr | s->block_low);
	const uint64_t ends = (addr ^ (addr + size - 1)) & s->split_bits;

	return line || (block | sim_page_diff(s, addr) | ends);
}

static inline void sim_load_fast(struct sim *s, uint64_t addr, unsigned size)
{
	if (__builtin_expect(sim_load_matters(s, addr, size), 0))
		sim_load(s, addr, size);
}

static inline void sim_store_fast(struct sim *s, uint64_t addr, unsigned size)
{
	if (__builtin_expect(sim_store_matters(s, addr, size), 0))
		sim_store(s, addr, size);
}

#endif
