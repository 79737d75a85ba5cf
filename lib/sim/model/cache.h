/*
 * One level of a cache: sets of words, one word for each line that is present.
 *
 * The high bits of a word are the line's tag: its address without the bits that select
 * the set and the byte. The low bits are all 1, except that a flag is 0 where the line is
 * not dirty, not exclusive to this CPU, or without a sub-block. The word 0 means no line.
 * So one comparison finds a line that is exclusive and has all sub-blocks, dirty or not:
 * (word | WORD_DIRTY) == (address | low).
 *
 * The words of a set are ordered: the line that is replaced last comes first, and free
 * words come last. Only in a cache with fixed ways (one with a way table) do words stay
 * in their place.
 */
#ifndef SIM_MODEL_CACHE_H
#define SIM_MODEL_CACHE_H

#include <stddef.h>
#include <stdint.h>

#include "sim/shared/machine.h"

enum { WORD_DIRTY = 1, WORD_EXCLUSIVE = 2, WORD_SUB = 4 /* of the first sub-block */ };

/* The geometry; each CPU has its own words. A machine without the cache has zeroes. */
struct cache {
	uint64_t low;	   /* the bits of an address below its tag */
	uint64_t set_mask; /* mask of a rotated address: index of its set's first word */
	unsigned rotate;   /* bits by which to rotate an address right, 0 to 63 */
	unsigned ways;
	uint64_t line;	   /* bytes - 1 */
	uint64_t optional; /* flags that may be 0 in the word of a line */
	uint64_t subs;	   /* flags of sub-blocks; 0: no sub-blocks */
	unsigned subshift; /* log2 of a sub-block's bytes */
	unsigned quads;	   /* quadwords of a line */
	/*
	 * If the number of sets is no power of two: this number, and the words from a set
	 * to the next; else 0. The tag of a line is then its whole address.
	 */
	uint32_t sets, stride;
	uint8_t lru;   /* 1: least recently used; 0: first in, first out */
	uint8_t fixed; /* words do not move within their set */
	uint8_t hints; /* words before the first of each set, for hint.h */
	uint8_t writeback;
	uint8_t inclusive;
};

/*
 * Sets up the geometry of m. optional: which of WORD_DIRTY and WORD_EXCLUSIVE the cache
 * uses. Returns 0, or -1 if the model cannot represent this cache.
 */
int cache_init(struct cache *g, const struct mcache *m, uint64_t optional);

/*
 * Like cache_init(), also for a number of sets that is no power of two. The words of a
 * set are then found by cache_any_set() only, which takes a division.
 */
int cache_init_any(struct cache *g, const struct mcache *m, uint64_t optional);

/* Gives the sets of an initialised cache room for as many hints as they have words. */
static inline void cache_add_hints(struct cache *g)
{
	g->hints = (uint8_t)g->ways;
	g->rotate = (g->rotate - 1) & 63;
	g->set_mask *= 2;
}

/* Returns how many words a CPU needs for the cache, with hints. */
static inline size_t cache_words(const struct cache *g)
{
	size_t stride = 1;

	while (stride < g->ways + g->hints)
		stride *= 2;
	return g->sets ? (size_t)g->sets * g->stride : g->set_mask + stride;
}

/* Returns the first word of the set of addr; base: the first word of all sets. */
static inline uint64_t *cache_set(const struct cache *g, uint64_t *base, uint64_t addr)
{
	return base + ((addr >> g->rotate | addr << (-g->rotate & 63)) & g->set_mask);
}

/* Like cache_set(), for a cache of cache_init_any(). */
static inline uint64_t *cache_any_set(const struct cache *g, uint64_t *base,
				      uint64_t addr)
{
	return g->sets ? base + addr / (g->line + 1) % g->sets * g->stride
		       : cache_set(g, base, addr);
}

/* Returns the flags of the sub-blocks from addr to end, which are in one line. */
static inline uint64_t cache_subs(const struct cache *g, uint64_t addr, uint64_t end)
{
	if (!g->subs)
		return 0;
	const unsigned from = (addr & g->line) >> g->subshift;
	const unsigned to = (end & g->line) >> g->subshift;

	return ((UINT64_C(2) << to) - (UINT64_C(1) << from)) * WORD_SUB;
}

/* Returns the word of a line whose optional flags are exactly these bits. */
static inline uint64_t cache_word(const struct cache *g, uint64_t addr, uint64_t bits)
{
	return ((addr | g->low) & ~g->optional) | bits;
}

/* Returns an address in the line of word, which is in the same set as addr. */
static inline uint64_t cache_addr(const struct cache *g, uint64_t word, uint64_t addr)
{
	return (word & ~g->low) | (addr & g->low);
}

/* Returns the word of the line of addr, or NULL. ways: g->ways, or an equal constant. */
static inline uint64_t *cache_find(const struct cache *g, uint64_t *set, uint64_t addr,
				   unsigned ways)
{
	const uint64_t key = addr | g->low;

	for (unsigned i = 0; i < ways; i++)
		if ((set[i] | g->optional) == key)
			return &set[i];
	return NULL;
}

/* Marks the line at this word as just used. Returns where its word is now. */
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

/* Puts word first in its set. Returns the word that is replaced, 0 if one was free. */
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

/* Removes the line at this word. */
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

/* n > 0 */
static inline unsigned floor_log2(uint64_t n)
{
	return 63 - __builtin_clzll(n);
}

#endif
