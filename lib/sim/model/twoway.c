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
 * Compares only bits 16 to 31 of the addresses, of all words at once; the rest of the key
 * differs from all words, even from 0.
 */
static inline int may_be_in_l1(struct sim *s, uint64_t addr)
{
	typedef uint16_t parts __attribute__((vector_size(16), may_alias));
	typedef uint64_t words __attribute__((vector_size(16)));
	const uint64_t first = addr & ~(uint64_t)(TWOWAY_L2_LINE - 1);
	const parts *i1 = (const parts *)twoway_i1_set(s, first);
	const parts *d1 = (const parts *)twoway_d1_set(s, first);
	const uint64_t part = (addr & 0xffff0000) | UINT64_C(0xffffffff00000001);
	const parts key = (parts)(words){part, part};
	enum { SET = TWOWAY_SET / 2 };

	_Static_assert(TWOWAY_L2_LINE == 2 * 64 && TWOWAY_L2_LINE == 4 * 32, "lines");
	const words equal =
		(words)((i1[0] == key) | (i1[SET] == key) | (d1[0] == key) |
			(d1[SET] == key) | (d1[2 * SET] == key) | (d1[3 * SET] == key));
	return (equal[0] | equal[1]) != 0;
}

/*
 * The usual miss in L2, with one CPU: the predicted way, whose word is at at, has another
 * line, so the line goes to the other way, and L1 has no line of what is evicted. Returns
 * 0, and then changes nothing, for another miss, or if the line is in the other way.
 */
static inline __attribute__((always_inline)) int l2_fill_usual(struct sim *s,
							       const uint64_t *at,
							       uint64_t addr,
							       enum l2_kind kind,
							       uint64_t dirty)
{
	const uint64_t key = addr | s->l2.low;
	uint64_t *const to = (uint64_t *)((uintptr_t)at ^ sizeof(*at)), gone = *to;
	uint64_t *const count = s->count;

	if (!*at || (gone | WORD_DIRTY) == key ||
	    may_be_in_l1(s, cache_addr(&s->l2, gone, addr)))
		return 0;
	*to = (key & ~(uint64_t)WORD_DIRTY) | dirty;
	*twoway_l2_predicted(s, addr) ^= 1;
	count[kind == L2_WRITE ? CTR_L2_WR_MISS : CTR_L2_RD_MISS]++;
	if (dirty)
		count[CTR_ST_EXCL_CLEAN]++;
	count[CTR_L2_WB] += gone & WORD_DIRTY;
	count[CTR_L2_WB_QW] += (gone & WORD_DIRTY) * (TWOWAY_L2_LINE / 16);
	l2_prefetch_host(s, addr, TWOWAY_L2_LINE);
	return 1;
}

/* The same as l2_ref() for data. */
static inline __attribute__((always_inline)) void l2_data(struct sim *s, uint64_t addr,
							  uint64_t dirty)
{
	const uint64_t key = addr | s->l2.low;
	const uint64_t clean = dirty ? 0 : WORD_DIRTY | WORD_EXCLUSIVE;
	const enum l2_kind kind = dirty ? L2_WRITE : L2_READ;
	const uint64_t *at = twoway_l2_set(s, addr) + *twoway_l2_predicted(s, addr);

	if ((*at | clean) == key)
		return;
	if (s->ncpus > 1 || (*at | WORD_DIRTY) == key ||
	    !l2_fill_usual(s, at, addr, kind, dirty))
		l2_ref_slow(s, addr, kind);
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

	if (twoway_line_diff(addr, size)) {
		l1_load_wide(s, addr, addr + size - 1);
		return;
	}
	if (twoway_page_diff(s, addr))
		l1_data_page(s, addr);
	if ((second | WORD_DIRTY) == key) {
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

	if (twoway_line_diff(addr, size)) {
		l1_store_wide(s, addr, addr + size - 1);
		return;
	}
	if (twoway_page_diff(s, addr))
		l1_data_page(s, addr);
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

__attribute__((noinline)) void twoway_modify_other(struct sim *s, uint64_t addr,
						   unsigned size)
{
	twoway_load(s, addr, size);
	twoway_store(s, addr, size);
}

void twoway_modify_fill(struct sim *s, uint64_t addr, unsigned size, uint64_t *at)
{
	const uint64_t key = addr | s->l2.low;

	if (s->ncpus > 1) {
		twoway_modify_other(s, addr, size);
		return;
	}
	if ((*at | WORD_DIRTY) == key) {
		s->count[CTR_ST_EXCL_CLEAN]++;
		*at = key;
	} else if (!l2_fill_usual(s, at, addr, L2_READ, WORD_DIRTY)) {
		twoway_modify_other(s, addr, size);
		return;
	}
	twoway_fill_modified(s, twoway_d1_set(s, addr), addr);
}

void twoway_settle(struct sim *s)
{
	s->count[CTR_D1_RD_MISS] += s->fills;
	s->count[CTR_L2_RD_REF] += s->fills;
	s->count[CTR_D1_WB_QW] += s->write_backs * twoway_d1.quads;
	s->count[CTR_D1_UPG] += s->upgrades;
	s->fills = s->write_backs = s->upgrades = 0;
}
