#include "sim/model/twoway.h"

#include "sim/model/coherence.h"
#include "sim/model/l1.h"
#include "sim/model/l2.h"

static int is_same_shape(const struct cache *a, const struct cache *b)
{
	return a->low == b->low && a->set_mask == b->set_mask && a->rotate == b->rotate &&
	       a->ways == b->ways && a->line == b->line && a->optional == b->optional &&
	       a->hints == b->hints && !a->subs && a->lru && !a->fixed;
}

static int is_l2_of_shape(const struct cache *l2)
{
	return l2->ways == 2 && l2->fixed && l2->inclusive && !l2->subs &&
	       l2->line == TWOWAY_L2_LINE - 1;
}

void twoway_init(struct sim *s)
{
	struct cache i1 = s->real_i1, d1 = s->real_d1;

	cache_add_hints(&i1);
	cache_add_hints(&d1);
	if (!is_same_shape(&i1, &twoway_i1) || !is_same_shape(&d1, &twoway_d1) ||
	    d1.quads != twoway_d1.quads || !d1.writeback || !is_l2_of_shape(&s->l2) ||
	    s->l3.ways || !s->m->joint || s->m->dtlb.page != TWOWAY_PAGE)
		return;
	s->real_i1 = i1;
	s->real_d1 = d1;
}

/*
 * May L1 have a line that is part of the L2 line of addr? Their sets are neighbours.
 * Compares the low halves of all words at once; those of a high half are never equal.
 */
static inline int may_be_in_l1(struct sim *s, uint64_t addr)
{
	typedef uint32_t halves __attribute__((vector_size(16), may_alias));
	const uint64_t first = addr & ~(uint64_t)(TWOWAY_L2_LINE - 1);
	const halves *i1 = (const halves *)twoway_i1_set(s, first);
	const halves *d1 = (const halves *)twoway_d1_set(s, first);
	const uint32_t low = (uint32_t)(addr | twoway_d1.low);
	const halves key = {low, ~0u, low, ~0u}, dirty = {WORD_DIRTY, 0, WORD_DIRTY, 0};
	enum { SET = TWOWAY_SET / 2 };

	_Static_assert(TWOWAY_L2_LINE == 2 * 64 && TWOWAY_L2_LINE == 4 * 32, "lines");
	const uint64_t __attribute__((vector_size(16))) equal =
		(i1[0] == key) | (i1[SET] == key) | ((d1[0] | dirty) == key) |
		((d1[SET] | dirty) == key) | ((d1[2 * SET] | dirty) == key) |
		((d1[3 * SET] | dirty) == key);
	return (equal[0] | equal[1]) != 0;
}

static inline void evict(struct sim *s, uint64_t word, uint64_t addr)
{
	const uint64_t gone = cache_addr(&s->l2, word, addr);

	if (may_be_in_l1(s, gone))
		coherence_drop_l1(s, s->cpu, gone, s->count);
	if (word & WORD_DIRTY) {
		s->count[CTR_L2_WB]++;
		s->count[CTR_L2_WB_QW] += TWOWAY_L2_LINE / 16;
	}
}

/* A miss in L2 with one CPU. Fills the predicted way if it is free, else the other. */
static inline void l2_fill(struct sim *s, uint64_t *set, uint64_t addr, enum l2_kind kind,
			   uint64_t dirty)
{
	uint8_t *way = twoway_l2_predicted(s, addr);
	const unsigned to = *way ^ !!set[*way];
	const uint64_t gone = set[to];

	s->count[kind == L2_WRITE ? CTR_L2_WR_MISS : CTR_L2_RD_MISS]++;
	if (dirty)
		s->count[CTR_ST_EXCL_CLEAN]++;
	l2_prefetch_host(s, addr, TWOWAY_L2_LINE);
	*way = (uint8_t)to;
	set[to] = ((addr | s->l2.low) & ~(uint64_t)WORD_DIRTY) | dirty;
	if (gone)
		evict(s, gone, addr);
}

/* The same as l2_ref() for data. */
static inline void l2_data(struct sim *s, uint64_t addr, uint64_t dirty)
{
	const uint64_t key = addr | s->l2.low;
	const uint64_t clean = dirty ? 0 : WORD_DIRTY | WORD_EXCLUSIVE;
	uint64_t *set = twoway_l2_set(s, addr);

	if ((set[*twoway_l2_predicted(s, addr)] | clean) == key)
		return;
	if (s->ncpus > 1 || cache_find(&s->l2, set, addr, 2))
		l2_ref_slow(s, addr, dirty ? L2_WRITE : L2_READ);
	else
		l2_fill(s, set, addr, dirty ? L2_WRITE : L2_READ, dirty);
}

/* Fills a line of L1D, first in its set. */
static inline void fill_d1(struct sim *s, uint64_t *set, uint64_t addr, uint64_t dirty)
{
	if (set[1] & WORD_DIRTY)
		s->count[CTR_D1_WB_QW] += twoway_d1.quads;
	set[1] = set[0];
	set[0] = cache_word(&twoway_d1, addr, dirty);
	hint_set_data(s, set, addr);
}

/* Makes an L1D line dirty, and its line in L2, which likely is in the predicted way. */
static inline void upgrade(struct sim *s, uint64_t *word, uint64_t addr)
{
	uint64_t *at = twoway_l2_set(s, addr) + *twoway_l2_predicted(s, addr);

	s->count[CTR_D1_UPG]++;
	*word |= WORD_DIRTY;
	if (*at == (addr | s->l2.low))
		return;
	if (s->ncpus > 1 || *at != ((addr | s->l2.low) & ~(uint64_t)WORD_DIRTY)) {
		l2_make_dirty(s, addr);
		return;
	}
	s->count[CTR_ST_EXCL_CLEAN]++;
	*at |= WORD_DIRTY;
}

void twoway_fetch(struct sim *s, uint64_t addr)
{
	uint64_t *set = twoway_i1_set(s, addr);
	const uint64_t word = set[1], ipage = s->cpu->ipage;

	if (word != (addr | twoway_i1.low) || twoway_page_diff(s, addr) ||
	    (ipage && ipage != (addr | s->ipage_low))) {
		l1_fetch(s, addr);
		return;
	}
	set[1] = set[0];
	set[0] = word;
	hint_set_fetch(s, set, addr);
}

/* Out of line, so that the callers need not save registers for their calls. */
static __attribute__((noinline)) void load_miss(struct sim *s, uint64_t *set,
						uint64_t addr)
{
	s->count[CTR_D1_RD_MISS]++;
	s->count[CTR_L2_RD_REF]++;
	l2_data(s, addr, 0);
	fill_d1(s, set, addr, 0);
}

static __attribute__((noinline)) void store_miss(struct sim *s, uint64_t *set,
						 uint64_t addr)
{
	s->count[CTR_D1_WR_MISS]++;
	s->count[CTR_L2_WR_REF]++;
	l2_data(s, addr, WORD_DIRTY);
	fill_d1(s, set, addr, WORD_DIRTY);
}

void twoway_load(struct sim *s, uint64_t addr, unsigned size)
{
	uint64_t *set = twoway_d1_set(s, addr);
	const uint64_t key = addr | twoway_d1.low, second = set[1];

	if (twoway_page_diff(s, addr) | twoway_line_diff(addr, size)) {
		l1_load_wide(s, addr, addr + size - 1);
	} else if ((second | WORD_DIRTY) == key) {
		set[1] = set[0];
		set[0] = second;
		hint_set_data(s, set, addr);
	} else if ((set[0] | WORD_DIRTY) != key) {
		load_miss(s, set, addr);
	} else {
		hint_set_data(s, set, addr);
	}
}

void twoway_store(struct sim *s, uint64_t addr, unsigned size)
{
	uint64_t *set = twoway_d1_set(s, addr);
	const uint64_t key = addr | twoway_d1.low, second = set[1];

	if (twoway_page_diff(s, addr) | twoway_line_diff(addr, size)) {
		l1_store_wide(s, addr, addr + size - 1);
		return;
	}
	if ((set[0] | WORD_DIRTY) != key) {
		if ((second | WORD_DIRTY) != key) {
			store_miss(s, set, addr);
			return;
		}
		set[1] = set[0];
		set[0] = second;
	}
	if (!(set[0] & WORD_DIRTY))
		upgrade(s, set, addr);
	hint_set_data(s, set, addr);
}

/*
 * A modification of several lines or another page, with several CPUs, of a line that L1
 * has, or of one in the other way of L2.
 */
static __attribute__((noinline)) void modify_unusual(struct sim *s, uint64_t addr,
						     unsigned size)
{
	twoway_load(s, addr, size);
	twoway_store(s, addr, size);
}

/* A modification of a line that neither L1 nor L2 has, with one CPU. */
static __attribute__((noinline)) void modify_fill(struct sim *s, uint64_t *set,
						  uint64_t addr)
{
	s->upgrades++;
	s->fills++;
	l2_fill(s, twoway_l2_set(s, addr), addr, L2_READ, WORD_DIRTY);
	s->write_backs += set[1] & WORD_DIRTY;
	set[1] = set[0];
	set[0] = addr | twoway_d1.low;
	hint_set_data(s, set, addr);
}

/*
 * Most lines that are modified and that L1 lacks are in the predicted way of L2, or not
 * in L2.
 */
void twoway_modify(struct sim *s, uint64_t addr, unsigned size)
{
	uint64_t *set = twoway_d1_set(s, addr);
	const uint64_t key = addr | twoway_d1.low, l2key = addr | s->l2.low;
	const uint64_t first = set[0], second = set[1];

	if ((twoway_page_diff(s, addr) | twoway_line_diff(addr, size)) || s->ncpus > 1 ||
	    (first | WORD_DIRTY) == key || (second | WORD_DIRTY) == key) {
		modify_unusual(s, addr, size);
		return;
	}
	uint64_t *l2 = twoway_l2_set(s, addr);
	uint64_t *at = l2 + *twoway_l2_predicted(s, addr);

	if ((*at | WORD_DIRTY) != l2key) {
		if (cache_find(&s->l2, l2, addr, 2))
			modify_unusual(s, addr, size);
		else
			modify_fill(s, set, addr);
		return;
	}
	if (*at != l2key) {
		s->count[CTR_ST_EXCL_CLEAN]++;
		*at = l2key;
	}
	s->upgrades++;
	s->fills++;
	s->write_backs += second & WORD_DIRTY;
	set[1] = first;
	set[0] = key;
	hint_set_data(s, set, addr);
}

void twoway_settle(struct sim *s)
{
	s->count[CTR_D1_RD_MISS] += s->fills;
	s->count[CTR_L2_RD_REF] += s->fills;
	s->count[CTR_D1_WB_QW] += s->write_backs * twoway_d1.quads;
	s->count[CTR_D1_UPG] += s->upgrades;
	s->fills = s->write_backs = s->upgrades = 0;
}
