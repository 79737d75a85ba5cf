#include "sim/model/l1.h"

#include "sim/model/hint.h"
#include "sim/model/l2.h"

/* Drops a page, which left the TLB's first level, from the remembered pages. */
static void forget_page(struct sim *s, uint64_t page)
{
	uint64_t *key = &s->cpu->dpage[page & (SIM_PAGES - 1)];

	if (s->is_twoway)
		hint_drop_page(s, page << s->dshift);
	if (*key == (page << s->dshift | s->dpage_low))
		*key = 0;
}

/*
 * With hints: a data access drove a page from the TLB. If code executes in this page, the
 * page is missed only at the next fetch from it after a fetch from another page. As no
 * other page has hints for fetches from now on, fetch_page() sees that fetch.
 */
static void keep_fetched_page(struct sim *s, uint64_t page)
{
	const uint64_t key = page << s->dshift | s->dpage_low;

	if ((s->fetched() | s->ipage_low) != key)
		return;
	s->cpu->ipage = key;
	hint_drop_fetches(s->cpu);
}

/*
 * A page is not in the first level of the TLB, or not in the only one (first: NULL).
 * Returns the number + 1 of the page that leaves that level, or 0.
 */
static uint64_t tlb_miss(struct sim *s, struct tlb *first, struct tlb *last,
			 uint64_t addr, enum sim_counter miss1, enum sim_counter miss)
{
	s->count[miss1]++;
	if (!first) {
		s->count[miss]++;
		return tlb_fill(last, addr);
	}
	if (!tlb_has(last, addr)) {
		s->count[miss]++;
		tlb_fill(last, addr);
	}
	return tlb_fill(first, addr);
}

/* Is the page of this key remembered as present in the TLB? */
static inline int page_known(const struct sim *s, uint64_t key)
{
	return s->cpu->dpage[key >> s->dshift & (SIM_PAGES - 1)] == key;
}

static void fetch_page(struct sim *s, uint64_t addr)
{
	struct simcpu *c = s->cpu;
	struct tlb *last = s->m->joint ? &c->dtlb : &c->itlb;
	struct tlb *first = s->m->itlb1.entries ? &c->itlb1 : NULL;

	if (s->is_twoway && c->ipage)
		hint_drop_fetches(c);
	c->ipage = s->is_twoway ? 0 : addr | s->ipage_low;
	if (s->m->joint && page_known(s, addr | s->dpage_low))
		return;
	if (tlb_has(first ? first : last, addr))
		return;
	const uint64_t gone =
		tlb_miss(s, first, last, addr, CTR_ITLB1_MISS, CTR_ITLB_MISS);

	if (gone && s->m->joint)
		forget_page(s, gone - 1);
}

void l1_data_page(struct sim *s, uint64_t addr)
{
	struct simcpu *c = s->cpu;
	struct tlb *first = s->m->dtlb1.entries ? &c->dtlb1 : NULL;

	if (!tlb_has(first ? first : &c->dtlb, addr)) {
		const uint64_t gone =
			tlb_miss(s, first, &c->dtlb, addr, CTR_DTLB1_MISS, CTR_DTLB_MISS);

		if (gone)
			forget_page(s, gone - 1);
		if (gone && s->is_twoway)
			keep_fetched_page(s, gone - 1);
	}
	const unsigned slot = addr >> s->dshift & (SIM_PAGES - 1);

	if (c->dpage[slot])
		c->shared_slots |= UINT64_C(1) << slot;
	c->dpage[slot] = addr | s->dpage_low;
}

/* Looks up all pages of an access. */
static void data_pages(struct sim *s, uint64_t addr, uint64_t end)
{
	const uint64_t last = end | s->dpage_low;

	for (uint64_t key = addr | s->dpage_low;; key += s->dpage_low + 1) {
		if (!page_known(s, key))
			l1_data_page(s, key);
		if (key == last)
			return;
	}
}

/* Is an access within one line, of a remembered page, with the caches simulated? */
static inline int is_simple(const struct sim *s, uint64_t addr, uint64_t end)
{
	return page_known(s, addr | s->dpage_low) && !((addr ^ end) & ~s->d1.line) &&
	       s->parts & SIM_CACHES;
}

void l1_fetch(struct sim *s, uint64_t addr)
{
	if (s->cpu->ipage != (addr | s->ipage_low))
		fetch_page(s, addr);
	if (!(s->parts & SIM_CACHES))
		return;
	uint64_t *set = cache_set(&s->i1, s->cpu->i1, addr);
	uint64_t *at = cache_find(&s->i1, set, addr, s->i1.ways);

	if (at) {
		cache_touch(&s->i1, set, at);
	} else {
		s->count[CTR_I1_MISS]++;
		l2_ref(s, addr, L2_INSN);
		cache_fill(set, cache_word(&s->i1, addr, 0), s->i1.ways);
	}
	if (s->is_twoway)
		hint_set_fetch(s, set, addr);
}

/* Fills an absent line; after the reference to L2, which may have changed the set. */
static inline void fill(struct sim *s, uint64_t *set, uint64_t addr, uint64_t bits,
			unsigned ways)
{
	const uint64_t word = cache_word(&s->d1, addr, bits);

	if (cache_fill(set, word, ways) & WORD_DIRTY)
		s->count[CTR_D1_WB_QW] += s->d1.quads;
}

/*
 * A line with sub-blocks is absent, or lacks some of the sub-blocks of need. Refers to L2
 * at the first absent one, and fills all of need.
 */
static void sub_miss(struct sim *s, uint64_t addr, uint64_t need, uint64_t dirty,
		     enum l2_kind kind)
{
	const struct cache *g = &s->d1;
	uint64_t *set = cache_set(g, s->cpu->d1, addr);
	uint64_t *at = cache_find(g, set, addr, g->ways);
	const unsigned first = __builtin_ctzll((at ? need & ~*at : need) / WORD_SUB);
	const uint64_t sub = (addr & ~g->line) | (uint64_t)first << g->subshift;

	l2_ref(s, sub > addr ? sub : addr, kind);
	at = cache_find(g, set, addr, g->ways);
	if (!at) {
		fill(s, set, addr, need | dirty, g->ways);
		return;
	}
	*at |= need | dirty;
	cache_touch(g, set, at);
}

/*
 * A miss with further effects than a line from L2. Out of line, so that the callers need
 * not save registers for its calls.
 */
static __attribute__((noinline)) void miss(struct sim *s, uint64_t addr, uint64_t need,
					   uint64_t dirty, enum l2_kind kind)
{
	if (need) {
		sub_miss(s, addr, need, dirty, kind);
		return;
	}
	l2_ref_slow(s, addr, kind);
	fill(s, cache_set(&s->d1, s->cpu->d1, addr), addr, dirty, s->d1.ways);
}

static inline void line_miss(struct sim *s, uint64_t *set, uint64_t addr, uint64_t need,
			     uint64_t dirty, enum l2_kind kind, unsigned ways)
{
	if (!need && l2_is_plain_hit(s, addr, kind))
		fill(s, set, addr, dirty, ways);
	else
		miss(s, addr, need, dirty, kind);
}

/* A load from addr to end, which are in one line. */
static inline void load_in_ways(struct sim *s, uint64_t addr, uint64_t end, unsigned ways)
{
	uint64_t *set = cache_set(&s->d1, s->cpu->d1, addr);
	uint64_t *at = cache_find(&s->d1, set, addr, ways);
	const uint64_t need = cache_subs(&s->d1, addr, end);

	if (at && !(need & ~*at)) {
		cache_touch(&s->d1, set, at);
		return;
	}
	s->count[CTR_D1_RD_MISS]++;
	s->count[CTR_L2_RD_REF]++;
	line_miss(s, set, addr, need, 0, L2_READ, ways);
}

/* A constant for the usual two ways unrolls the loops. */
static void load_line(struct sim *s, uint64_t addr, uint64_t end)
{
	if (s->d1.ways == 2)
		load_in_ways(s, addr, end, 2);
	else
		load_in_ways(s, addr, end, s->d1.ways);
	if (s->is_twoway)
		hint_renew_data(s, addr);
}

void l1_load_wide(struct sim *s, uint64_t addr, uint64_t end)
{
	data_pages(s, addr, end);
	if (!(s->parts & SIM_CACHES))
		return;
	while ((addr ^ end) & ~s->d1.line) {
		const uint64_t last = addr | s->d1.line;

		load_line(s, addr, last);
		s->count[CTR_D1_RD]++;
		addr = last + 1;
	}
	load_line(s, addr, end);
}

void l1_load(struct sim *s, uint64_t addr, unsigned size)
{
	const uint64_t end = addr + size - 1;

	if (is_simple(s, addr, end))
		load_line(s, addr, end);
	else
		l1_load_wide(s, addr, end);
}

static inline void store_back(struct sim *s, uint64_t addr, uint64_t end, unsigned ways)
{
	uint64_t *set = cache_set(&s->d1, s->cpu->d1, addr);
	uint64_t *at = cache_find(&s->d1, set, addr, ways);
	const uint64_t need = cache_subs(&s->d1, addr, end);

	if (at && !(need & ~*at)) {
		at = cache_touch(&s->d1, set, at);
		if (*at & WORD_DIRTY)
			return;
		s->count[CTR_D1_UPG]++;
		*at |= WORD_DIRTY;
		l2_make_dirty(s, addr);
		return;
	}
	s->count[CTR_D1_WR_MISS]++;
	s->count[CTR_L2_WR_REF]++;
	line_miss(s, set, addr, need, WORD_DIRTY, L2_WRITE, ways);
}

static inline void store_through(struct sim *s, uint64_t addr, uint64_t end)
{
	uint64_t *set = cache_set(&s->d1, s->cpu->d1, addr);
	uint64_t *at = cache_find(&s->d1, set, addr, s->d1.ways);

	if (at && !(cache_subs(&s->d1, addr, end) & ~*at))
		cache_touch(&s->d1, set, at);
	else
		s->count[CTR_D1_WR_MISS]++;
	if (s->m->wmerge)
		return;
	s->count[CTR_L2_WR_REF]++;
	l2_ref(s, addr, L2_WRITE);
}

static void store_line(struct sim *s, uint64_t addr, uint64_t end)
{
	if (!s->d1.writeback)
		store_through(s, addr, end);
	else if (s->d1.ways == 2)
		store_back(s, addr, end, 2);
	else
		store_back(s, addr, end, s->d1.ways);
	if (s->is_twoway)
		hint_renew_data(s, addr);
}

/* Sends each block of a store to L2, except the block that the last store went to. */
static void merge_store(struct sim *s, uint64_t addr, uint64_t end)
{
	const uint64_t last = end | s->block_low;

	for (uint64_t key = addr | s->block_low;; key += s->block_low + 1) {
		if (s->cpu->store_block != key) {
			s->cpu->store_block = key;
			s->count[CTR_L2_WR_REF]++;
			l2_ref(s, key, L2_WRITE);
		}
		if (key == last)
			return;
	}
}

void l1_store_wide(struct sim *s, uint64_t addr, uint64_t end)
{
	uint64_t a = addr;

	data_pages(s, addr, end);
	if (!(s->parts & SIM_CACHES))
		return;
	while ((a ^ end) & ~s->d1.line) {
		const uint64_t last = a | s->d1.line;

		store_line(s, a, last);
		s->count[CTR_D1_WR]++;
		a = last + 1;
	}
	store_line(s, a, end);
	if (!s->d1.writeback && s->m->wmerge)
		merge_store(s, addr, end);
}

void l1_store(struct sim *s, uint64_t addr, unsigned size)
{
	const uint64_t end = addr + size - 1;

	if (s->d1.writeback && is_simple(s, addr, end))
		store_line(s, addr, end);
	else
		l1_store_wide(s, addr, end);
}

/* Looks up the page of a prefetch. Returns whether the prefetch has an address. */
static int prefetch_page(struct sim *s, uint64_t addr)
{
	const struct simcpu *c = s->cpu;

	if (page_known(s, addr | s->dpage_low))
		return 1;
	if (!s->m->prefetch_walk && !tlb_has(&c->dtlb, addr) &&
	    !(s->m->dtlb1.entries && tlb_has(&c->dtlb1, addr)))
		return 0;
	l1_data_page(s, addr);
	return 1;
}

void l1_prefetch(struct sim *s, uint64_t addr, int for_writing)
{
	if (!prefetch_page(s, addr) || !(s->parts & SIM_CACHES))
		return;
	uint64_t *set = cache_set(&s->d1, s->cpu->d1, addr);
	uint64_t *at = cache_find(&s->d1, set, addr, s->d1.ways);
	const uint64_t need = cache_subs(&s->d1, addr, addr);

	if (at && !(need & ~*at)) {
		cache_touch(&s->d1, set, at);
	} else {
		s->count[CTR_D1_PF_MISS]++;
		s->count[CTR_L2_RD_REF]++;
		line_miss(s, set, addr, need, 0, L2_READ, s->d1.ways);
	}
	if (s->is_twoway)
		hint_renew_data(s, addr);
	if (for_writing)
		l2_make_dirty(s, addr);
}
