#include "sim/model/l3.h"

static void fill(struct sim *s, uint64_t *set, uint64_t addr, uint64_t dirty)
{
	const uint64_t gone =
		cache_fill(set, cache_word(&s->l3, addr, dirty), s->l3.ways);

	if (gone & WORD_DIRTY)
		s->count[CTR_L3_WB]++;
}

void l3_ref(struct sim *s, uint64_t addr, enum sim_counter miss)
{
	if (!s->l3.ways)
		return;
	uint64_t *set = cache_any_set(&s->l3, s->l3words, addr);
	uint64_t *at = cache_find(&s->l3, set, addr, s->l3.ways);

	if (at) {
		cache_touch(&s->l3, set, at);
		return;
	}
	s->count[miss]++;
	fill(s, set, addr, 0);
}

void l3_write(struct sim *s, uint64_t addr)
{
	if (!s->l3.ways)
		return;
	uint64_t *set = cache_any_set(&s->l3, s->l3words, addr);
	uint64_t *at = cache_find(&s->l3, set, addr, s->l3.ways);

	if (at)
		*at |= WORD_DIRTY;
	else
		fill(s, set, addr, WORD_DIRTY);
}
