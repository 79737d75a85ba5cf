/*
 * The shape of machine that has fast paths (twoway.h) and hints (hint.h): that of the
 * R10000 and its successors. A write-back L1 of two ways without sub-blocks, an inclusive
 * L2 of two ways with a way table, no L3, one TLB for code and data.
 */
#ifndef SIM_MODEL_TWOWAY_SHAPE_H
#define SIM_MODEL_TWOWAY_SHAPE_H

#include "sim/model/model_state.h"

enum { TWOWAY_L2_LINE = 128, TWOWAY_PAGE = 32768 };

/* The geometry of L1: only the members that the fast paths use. */
static const struct cache twoway_i1 = {.low = 16383,
				       .set_mask = (TWOWAY_I1_SETS - 1) * TWOWAY_SET,
				       .rotate = 4,
				       .ways = 2,
				       .line = 63,
				       .lru = 1,
				       .hints = 2};
static const struct cache twoway_d1 = {.low = 16383,
				       .set_mask = (TWOWAY_D1_SETS - 1) * TWOWAY_SET,
				       .rotate = 3,
				       .ways = 2,
				       .line = 31,
				       .optional = WORD_DIRTY,
				       .quads = 2,
				       .lru = 1,
				       .writeback = 1,
				       .hints = 2};

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

#endif
