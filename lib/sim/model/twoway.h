/*
 * Fast paths for the caches of the R10000 and its successors: a write-back L1 of two ways
 * without sub-blocks, an inclusive L2 of two ways with a way table, no L3. The geometry
 * of L1 is constant here. The results are the same as those of the general paths, on the
 * same state; rare cases are left to the general paths.
 */
#ifndef SIM_MODEL_TWOWAY_H
#define SIM_MODEL_TWOWAY_H

#include "sim/model/model_state.h"

/* Only the members that the fast paths use. */
static const struct cache twoway_i1 = {
	.low = 16383, .set_mask = 255 * 2, .rotate = 5, .ways = 2, .line = 63, .lru = 1};
static const struct cache twoway_d1 = {.low = 16383,
				       .set_mask = 511 * 2,
				       .rotate = 4,
				       .ways = 2,
				       .line = 31,
				       .optional = WORD_DIRTY,
				       .quads = 2,
				       .lru = 1,
				       .writeback = 1};
enum { TWOWAY_L2_LINE = 128, TWOWAY_PAGE = 32768 };

/*
 * Returns whether the machine has this shape. With other page sizes the results would be
 * right as well, but each access would take a slow path.
 */
int twoway_fits(const struct sim *s);

/* The same as sim_fetch(), sim_load() and sim_store(), if s->is_twoway. */
void twoway_fetch(struct sim *s, uint64_t addr);
void twoway_load(struct sim *s, uint64_t addr, unsigned size);
void twoway_store(struct sim *s, uint64_t addr, unsigned size);

/* Returns 0 if the page of addr is remembered. With TLBs off all keys are ~0. */
static inline uint64_t twoway_page_diff(const struct sim *s, uint64_t addr)
{
	return s->cpu->dpage[addr / TWOWAY_PAGE % SIM_PAGES] ^ (addr | s->dpage_low);
}

/* Returns 0 if an access is within one line. */
static inline uint64_t twoway_line_diff(uint64_t addr, unsigned size)
{
	return (addr ^ (addr + size - 1)) & ~twoway_d1.line;
}

/* The same as sim_fetch_fast(), sim_load_fast() and sim_store_fast() of model_fast.h. */
static inline void twoway_fetch_fast(struct sim *s, uint64_t addr)
{
	const struct simcpu *c = s->cpu;
	const uint64_t line =
		*cache_set(&twoway_i1, c->i1, addr) ^ (addr | twoway_i1.low);
	const uint64_t page = c->ipage ^ (addr | s->ipage_low);

	if (__builtin_expect(line || page, 0))
		twoway_fetch(s, addr);
}

static inline void twoway_load_fast(struct sim *s, uint64_t addr, unsigned size)
{
	const uint64_t word = *cache_set(&twoway_d1, s->cpu->d1, addr) | WORD_DIRTY;
	const uint64_t line = word ^ (addr | twoway_d1.low);

	if (__builtin_expect(
		    line || (twoway_page_diff(s, addr) | twoway_line_diff(addr, size)),
		    0))
		twoway_load(s, addr, size);
}

static inline void twoway_store_fast(struct sim *s, uint64_t addr, unsigned size)
{
	const uint64_t word = *cache_set(&twoway_d1, s->cpu->d1, addr);
	const uint64_t line = word ^ (addr | twoway_d1.low);

	if (__builtin_expect(
		    line || (twoway_page_diff(s, addr) | twoway_line_diff(addr, size)),
		    0))
		twoway_store(s, addr, size);
}

#endif
