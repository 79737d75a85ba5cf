#include "sim/model/cache.h"

/* The most sub-blocks of a line for which a word has flags. */
enum { MAX_SUBS = 32 };

static uint64_t sub_bits(const struct mcache *m)
{
	const uint32_t n = m->line / m->sub;

	return n == 1 ? 0 : ((UINT64_C(1) << n) - 1) * WORD_SUB;
}

int cache_init(struct cache *g, const struct mcache *m, uint64_t optional)
{
	if (!is_pow2(m->line) || m->line < 16 || !is_pow2(m->sub) || m->sub > m->line ||
	    m->line / m->sub > MAX_SUBS || !m->ways || m->ways > 64)
		return -1;
	const uint64_t way = m->size / m->ways; /* bytes of a way */

	if (way * m->ways != m->size || !is_pow2(way) || way < m->line)
		return -1;
	/* One low bit stays 1 in the word of every line: the word 0 means no line. */
	if (sub_bits(m) + 3 >= way - 1)
		return -1;
	g->low = way - 1;
	g->line = m->line - 1;
	g->ways = m->ways;
	g->subs = sub_bits(m);
	g->optional = optional | g->subs;
	g->subshift = floor_log2(m->sub);
	g->quads = m->line / 16;
	g->lru = m->repl == REPL_LRU;
	g->writeback = m->writeback;
	g->inclusive = m->inclusive;
	/*
	 * Sets begin at multiples of a power of two: finding a set takes no
	 * multiplication.
	 */
	const unsigned stride = floor_log2(m->ways) + !is_pow2(m->ways);

	g->rotate = (floor_log2(m->line) - stride) & 63;
	g->set_mask = (way / m->line - 1) << stride;
	g->sets = 0;
	g->stride = 0;
	return 0;
}

int cache_init_any(struct cache *g, const struct mcache *m, uint64_t optional)
{
	struct mcache one = *m; /* one set of the cache */

	if (cache_init(g, m, optional) == 0)
		return 0;
	one.size = m->line * m->ways;
	if (!one.size || m->size < one.size || m->size % one.size ||
	    cache_init(g, &one, optional))
		return -1;
	g->sets = m->size / one.size;
	g->stride = 1u << (floor_log2(m->ways) + !is_pow2(m->ways));
	return 0;
}
