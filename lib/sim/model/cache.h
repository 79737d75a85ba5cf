/*
 * One level of a cache: sets of words, a word for each line that is there.
 *
 * A word is the tag, that is the line's address without the bits that choose set and
 * byte; in these low bits all are ones but those of what is not the case: the line is
 * not dirty, not this CPU's alone, a sub-block is absent. 0: no line. So a line that is
 * clean, alone and whole in all else is there if (word | WORD_DIRTY) == (address | low):
 * one compare.
 *
 * Sets are kept in order: what goes last is first, free words are last. Of a cache with
 * fixed ways (one with a way table) they are not; its words stay where they are.
 */
#ifndef SIM_MODEL_CACHE_H
#define SIM_MODEL_CACHE_H

#include <stddef.h>
#include <stdint.h>

#include "sim/shared/machine.h"

enum { WORD_DIRTY = 1, WORD_EXCLUSIVE = 2, WORD_SUB = 4 /* first of the sub-blocks' */ };

/* The geometry; the words are each CPU's own. All zero: there is none. */
struct cache {
	uint64_t low;	   /* the bits of an address below its tag */
	uint64_t set_mask; /* of an address, once rotated: its set's first word */
	unsigned rotate;   /* to the right, 0 to 63 */
	unsigned ways;
	uint64_t line;	   /* bytes - 1 */
	uint64_t optional; /* the bits of a word that may be 0 */
	uint64_t subs;	   /* those of sub-blocks; 0: lines have none */
	unsigned subshift;
	unsigned quads; /* quadwords of a line */
	uint8_t lru;	/* else first in, first out */
	uint8_t fixed;	/* words do not move */
	uint8_t writeback;
	uint8_t inclusive;
};

/* vary: which of WORD_DIRTY, WORD_EXCLUSIVE it uses. -1: it cannot be built so. */
int cache_init(struct cache *g, const struct mcache *m, uint64_t optional);

/* How many words it takes. */
static inline size_t cache_words(const struct cache *g)
{
	size_t stride = 1;

	while (stride < g->ways)
		stride *= 2;
	return g->set_mask + stride;
}

static inline uint64_t *cache_set(const struct cache *g, uint64_t *base, uint64_t addr)
{
	return base + ((addr >> g->rotate | addr << (-g->rotate & 63)) & g->set_mask);
}

/* The bits of the sub-blocks from addr to end, which are in one line. */
static inline uint64_t cache_subs(const struct cache *g, uint64_t addr, uint64_t end)
{
	if (!g->subs)
		return 0;
	const unsigned from = (addr & g->line) >> g->subshift;
	const unsigned to = (end & g->line) >> g->subshift;

	return ((UINT64_C(2) << to) - (UINT64_C(1) << from)) * WORD_SUB;
}

/* A new word: of what may vary it has these bits alone. */
static inline uint64_t cache_word(const struct cache *g, uint64_t addr, uint64_t bits)
{
	return ((addr | g->low) & ~g->optional) | bits;
}

/* An address in the line of a word that is in the set of addr. */
static inline uint64_t cache_addr(const struct cache *g, uint64_t word, uint64_t addr)
{
	return (word & ~g->low) | (addr & g->low);
}

/* Where the line is, or NULL. ways: those of g, or a constant that is the same. */
static inline uint64_t *cache_find(const struct cache *g, uint64_t *set, uint64_t addr,
				   unsigned ways)
{
	const uint64_t key = addr | g->low;

	for (unsigned i = 0; i < ways; i++)
		if ((set[i] | g->optional) == key)
			return &set[i];
	return NULL;
}

/* The line at this place is used; returns where it is then. */
static inline uint64_t *cache_touch(const struct cache *g, uint64_t *set, uint64_t *at)
{
	if (!g->lru)
		return at;
	uint64_t carry = *at;

	for (uint64_t *p = set; p <= at; p++) {
		const uint64_t word = *p;

		*p = carry;
		carry = word;
	}
	return set;
}

/* It comes, as the first of its set; returns what goes: 0, if a word was free. */
static inline uint64_t cache_fill(uint64_t *set, uint64_t word, unsigned ways)
{
	uint64_t carry = word;

	for (unsigned i = 0; i < ways; i++) {
		const uint64_t next = set[i];

		set[i] = carry;
		carry = next;
	}
	return carry;
}

/* The line at this place goes. */
static inline void cache_drop(const struct cache *g, uint64_t *set, uint64_t *at)
{
	if (g->fixed) {
		*at = 0;
		return;
	}
	uint64_t carry = 0;

	for (uint64_t *p = set + g->ways; p-- > at;) {
		const uint64_t word = *p;

		*p = carry;
		carry = word;
	}
}

static inline int is_pow2(uint64_t n)
{
	return n && !(n & (n - 1));
}

/* Of n > 0, rounded down. */
static inline unsigned floor_log2(uint64_t n)
{
	return 63 - __builtin_clzll(n);
}

#endif
