#include "sim/model/coherence.h"

#include "sim/model/hint.h"
#include "sim/model/l3.h"

/* Removes the lines within the L2 line at first. Returns how many were dirty. */
static inline unsigned drop_in_ways(const struct cache *g, uint64_t *base, uint64_t first,
				    uint64_t size, unsigned ways)
{
	unsigned dirty = 0;

	for (uint64_t off = 0; off < size; off += g->line + 1) {
		uint64_t *set = cache_set(g, base, first + off);
		uint64_t *at = cache_find(g, set, first + off, ways);

		if (!at)
			continue;
		dirty += *at & g->optional & WORD_DIRTY;
		cache_drop(g, set, at);
		if (g->hints)
			hint_drop(set);
	}
	return dirty;
}

/* A constant for the usual two ways unrolls the loops. */
static unsigned drop_lines(const struct cache *g, uint64_t *base, uint64_t first,
			   uint64_t size)
{
	return g->ways == 2 ? drop_in_ways(g, base, first, size, 2)
			    : drop_in_ways(g, base, first, size, g->ways);
}

void coherence_drop_l1(struct sim *s, struct simcpu *c, uint64_t addr, uint64_t *count)
{
	const uint64_t first = addr & ~s->l2.line, size = s->l2.line + 1;

	drop_lines(&s->i1, c->i1, first, size);
	count[CTR_D1_WB_QW] += drop_lines(&s->d1, c->d1, first, size) * s->d1.quads;
}

void coherence_write_back(struct sim *s, uint64_t addr, uint64_t *count)
{
	count[CTR_L2_WB]++;
	count[CTR_L2_WB_QW] += s->l2.quads;
	l3_write(s, addr);
}

/* Writes back the dirty L1D lines within an L2 line; they stay, clean. */
static void clean_d1(struct sim *s, struct simcpu *c, uint64_t addr)
{
	const uint64_t first = addr & ~s->l2.line;

	for (uint64_t off = 0; off <= s->l2.line; off += s->d1.line + 1) {
		uint64_t *set = cache_set(&s->d1, c->d1, first + off);
		uint64_t *at = cache_find(&s->d1, set, first + off, s->d1.ways);

		if (!at || !(*at & WORD_DIRTY))
			continue;
		*at &= ~(uint64_t)WORD_DIRTY;
		if (s->d1.hints)
			set[HINT_STORE] = 0;
		c->external[CTR_D1_WB_QW] += s->d1.quads;
	}
}

/* Returns the line's word in the L2 of c; NULL if absent, or if c is the running CPU. */
static uint64_t *find_in_other(struct sim *s, struct simcpu *c, uint64_t addr)
{
	if (!c || c == s->cpu)
		return NULL;
	return cache_find(&s->l2, cache_set(&s->l2, c->l2, addr), addr, s->l2.ways);
}

/* The next store of c to the line must ask for it: it does not merge with the last. */
static void end_merge(const struct sim *s, struct simcpu *c, uint64_t addr)
{
	if (!((c->store_block ^ addr) & ~s->l2.line))
		c->store_block = 0;
}

int coherence_read(struct sim *s, uint64_t addr)
{
	int any = 0;

	for (unsigned i = 0; i < s->ncpus; i++) {
		struct simcpu *c = s->cpus[i];
		uint64_t *at = find_in_other(s, c, addr);

		if (!at)
			continue;
		any = 1;
		if (!(*at & WORD_EXCLUSIVE))
			continue;
		c->external[CTR_EXT_ITV]++;
		end_merge(s, c, addr);
		if (*at & WORD_DIRTY) {
			clean_d1(s, c, addr);
			coherence_write_back(s, addr, c->external);
		}
		*at &= ~(uint64_t)(WORD_DIRTY | WORD_EXCLUSIVE);
	}
	return any;
}

int coherence_write(struct sim *s, uint64_t addr)
{
	int any = 0;

	for (unsigned i = 0; i < s->ncpus; i++) {
		struct simcpu *c = s->cpus[i];
		uint64_t *at = find_in_other(s, c, addr);

		if (!at)
			continue;
		any = 1;
		c->external[*at & WORD_EXCLUSIVE ? CTR_EXT_ITV : CTR_EXT_INV]++;
		end_merge(s, c, addr);
		coherence_drop_l1(s, c, addr, c->external);
		if (*at & WORD_DIRTY)
			coherence_write_back(s, addr, c->external);
		cache_drop(&s->l2, cache_set(&s->l2, c->l2, addr), at);
	}
	return any;
}
