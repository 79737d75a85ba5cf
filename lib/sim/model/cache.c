#include "sim/model/cache.h"

/* Sub-blocks of a line: a word has room for them and for what else it says. */
enum { MAX_SUBS = 32 };

static uint64_t sub_bits(const struct mcache *m)
{
	const uint32_t n = m->line / m->sub;

	return n == 1 ? 0 : ((UINT64_C(1) << n) - 1) * WORD_SUB;
}

int cache_init(struct cache *g, const struct mcache *m, uint64_t vary)
{
	if (!pow2_is(m->line) || m->line < 16 || !pow2_is(m->sub) || m->sub > m->line ||
	    m->line / m->sub > MAX_SUBS || !m->ways || m->ways > 64)
		return -1;
	const uint64_t way = m->size / m->ways; /* bytes of a way */

	if (way * m->ways != m->size || !pow2_is(way) || way < m->line)
		return -1;
	/* What varies has to leave one bit that says that there is a line. */
	if (sub_bits(m) + 3 >= way - 1)
		return -1;
	g->low = way - 1;
	g->line = m->line - 1;
	g->ways = m->ways;
	g->subs = sub_bits(m);
	g->vary = vary | g->subs;
	g->subshift = pow2_log(m->sub);
	g->quads = m->line / 16;
	g->lru = m->repl == REPL_LRU;
	g->writeback = m->writeback;
	g->inclusive = m->inclusive;
	/*
	 * Words of a set begin at a power of two, so that finding it takes no multiply.
	 */
	const unsigned stride = pow2_log(m->ways) + !pow2_is(m->ways);

	g->rotate = (pow2_log(m->line) - stride) & 63;
	g->index = (way / m->line - 1) << stride;
	return 0;
}
