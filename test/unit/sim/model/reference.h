/*
 * A second, slow and plain, processor model, with which the tests compare the fast one: a
 * list of lines for each cache, searched from end to end, with the time of each line's
 * last use. Where the two models differ, one of them is wrong.
 */
#ifndef SIM_MODEL_REFERENCE_H
#define SIM_MODEL_REFERENCE_H

#include "reference_cache.h"

/* ---- TLBs */

/* Is the page of addr in the TLB? Adds an absent page. */
static inline int ref_tlb_access(struct ref_tlb *t, uint64_t addr)
{
	const uint64_t page = addr / t->m->page + 1;
	const unsigned ways = t->m->ways ? t->m->ways : t->m->entries;
	const unsigned set = (unsigned)((page - 1) % (t->m->entries / ways));

	for (unsigned i = 0; i < ways; i++)
		if (t->entry[set * ways + i] == page)
			return 1;
	t->entry[set * ways + t->next[set]] = page;
	t->next[set] = (t->next[set] + 1) % ways;
	return 0;
}

static inline void ref_tlbs(struct ref *r, struct ref_tlb *first, struct ref_tlb *last,
			    uint64_t addr, enum sim_counter miss1, enum sim_counter miss)
{
	if (first->m->entries) {
		if (ref_tlb_access(first, addr))
			return;
		r->count[miss1]++;
		if (!ref_tlb_access(last, addr))
			r->count[miss]++;
	} else if (!ref_tlb_access(last, addr)) {
		r->count[miss1]++;
		r->count[miss]++;
	}
}

static inline void ref_data_pages(struct ref *r, uint64_t addr, unsigned size)
{
	struct ref_cpu *c = &r->cpu[r->running];
	const uint64_t page = r->m->dtlb1.entries ? r->m->dtlb1.page : r->m->dtlb.page;

	if (!(r->parts & SIM_TLBS))
		return;
	for (uint64_t p = addr / page; p <= (addr + size - 1) / page; p++)
		ref_tlbs(r, &c->dtlb1, &c->dtlb, p * page, CTR_DTLB1_MISS, CTR_DTLB_MISS);
}

static inline void ref_fetch_page(struct ref *r, uint64_t addr)
{
	struct ref_cpu *c = &r->cpu[r->running];
	struct ref_tlb *last = r->m->joint ? &c->dtlb : &c->itlb;
	const uint64_t page = c->itlb1.m->entries ? c->itlb1.m->page : last->m->page;

	if (!(r->parts & SIM_TLBS) || c->fetched == addr / page + 1)
		return;
	c->fetched = addr / page + 1;
	ref_tlbs(r, &c->itlb1, last, addr, CTR_ITLB1_MISS, CTR_ITLB_MISS);
}

/* ---- Operations of a program */

static inline void ref_fetch(struct ref *r, uint64_t addr)
{
	struct ref_cpu *c = &r->cpu[r->running];

	ref_fetch_page(r, addr);
	if (!(r->parts & SIM_CACHES))
		return;
	struct ref_line *l = ref_find(&c->i1, addr);
	if (l) {
		ref_touch(&c->i1, l);
		return;
	}
	r->count[CTR_I1_MISS]++;
	ref_l2(r, addr, REF_FETCH);
	ref_l1_fill(r, &c->i1, addr, 1, REF_E);
}

/* Returns the first byte from addr to end (in one line) that L1D lacks; none: end + 1. */
static inline uint64_t ref_absent(const struct ref_cache *c, uint64_t addr, uint64_t end)
{
	const struct ref_line *l = ref_find(c, addr);

	for (uint64_t a = addr; a <= end; a++)
		if (!l || !(l->subs & ref_subs(c, a, a)))
			return a;
	return end + 1;
}

static inline void ref_load_line(struct ref *r, uint64_t addr, uint64_t end)
{
	struct ref_cpu *c = &r->cpu[r->running];
	const uint64_t absent = ref_absent(&c->d1, addr, end);

	if (absent > end) {
		ref_touch(&c->d1, ref_find(&c->d1, addr));
		return;
	}
	r->count[CTR_D1_RD_MISS]++;
	r->count[CTR_L2_RD_REF]++;
	ref_l2(r, absent, REF_READ);
	ref_l1_fill(r, &c->d1, addr, ref_subs(&c->d1, addr, end), REF_E);
}

static inline void ref_store_line(struct ref *r, uint64_t addr, uint64_t end)
{
	struct ref_cpu *c = &r->cpu[r->running];
	const uint64_t absent = ref_absent(&c->d1, addr, end);
	struct ref_line *l = ref_find(&c->d1, addr);

	if (absent > end) {
		ref_touch(&c->d1, l);
		if (!r->m->d1.writeback || l->state == REF_D)
			return;
		r->count[CTR_D1_UPG]++;
		l->state = REF_D;
		ref_make_dirty(r, addr);
		return;
	}
	r->count[CTR_D1_WR_MISS]++;
	if (!r->m->d1.writeback)
		return;
	r->count[CTR_L2_WR_REF]++;
	ref_l2(r, absent, REF_WRITE);
	ref_l1_fill(r, &c->d1, addr, ref_subs(&c->d1, addr, end), REF_D);
}

/* Sends each block of a store to L2, unless the last block sent was the same. */
static inline void ref_store_through(struct ref *r, uint64_t addr, unsigned size)
{
	struct ref_cpu *c = &r->cpu[r->running];
	const uint64_t block = r->m->wmerge ? r->m->wmerge : r->m->d1.line;

	for (uint64_t b = addr / block; b <= (addr + size - 1) / block; b++) {
		if (r->m->wmerge && c->merged == b + 1)
			continue;
		c->merged = b + 1;
		r->count[CTR_L2_WR_REF]++;
		ref_l2(r, b * block > addr ? b * block : addr, REF_WRITE);
	}
}

static inline void ref_data(struct ref *r, uint64_t addr, unsigned size, int store)
{
	const uint64_t line = r->m->d1.line, last = addr + size - 1;

	ref_data_pages(r, addr, size);
	if (!(r->parts & SIM_CACHES))
		return;
	for (uint64_t n = addr / line; n <= last / line; n++) {
		const uint64_t begin = n * line > addr ? n * line : addr;
		const uint64_t end =
			(n + 1) * line - 1 < last ? (n + 1) * line - 1 : last;

		if (begin != addr)
			r->count[store ? CTR_D1_WR : CTR_D1_RD]++;
		if (store)
			ref_store_line(r, begin, end);
		else
			ref_load_line(r, begin, end);
		/* Stores that do not merge go to L2 line by line. */
		if (store && !r->m->d1.writeback && !r->m->wmerge)
			ref_store_through(r, begin, (unsigned)(end - begin) + 1);
	}
	if (store && !r->m->d1.writeback && r->m->wmerge)
		ref_store_through(r, addr, size);
}

static inline int ref_tlb_has(const struct ref_tlb *t, uint64_t addr)
{
	for (unsigned i = 0; i < t->m->entries; i++)
		if (t->entry[i] == addr / t->m->page + 1)
			return 1;
	return 0;
}

static inline void ref_prefetch(struct ref *r, uint64_t addr, int for_writing)
{
	struct ref_cpu *c = &r->cpu[r->running];

	if ((r->parts & SIM_TLBS) && !r->m->prefetch_walk &&
	    !ref_tlb_has(&c->dtlb1, addr) && !ref_tlb_has(&c->dtlb, addr))
		return;
	ref_data_pages(r, addr, 1);
	if (!(r->parts & SIM_CACHES))
		return;
	if (ref_absent(&c->d1, addr, addr) == addr) {
		r->count[CTR_D1_PF_MISS]++;
		r->count[CTR_L2_RD_REF]++;
		ref_l2(r, addr, REF_READ);
		ref_l1_fill(r, &c->d1, addr, ref_subs(&c->d1, addr, addr), REF_E);
	} else {
		ref_touch(&c->d1, ref_find(&c->d1, addr));
	}
	if (for_writing)
		ref_make_dirty(r, addr);
}

static inline void ref_cond(struct ref *r, uint64_t pc, int taken)
{
	struct ref_cpu *c = &r->cpu[r->running];
	uint64_t index = pc >> r->m->bp_shift;

	if (!(r->parts & SIM_BRANCHES))
		return;
	if (r->m->bp == BP_GSHARE) {
		index ^= c->history ^ (r->m->bp_fold ? pc >> r->m->bp_fold : 0);
		c->history =
			(c->history * 2 + (taken != 0)) % (UINT64_C(1) << r->m->bp_hist);
	}
	uint8_t *state = &c->bp[index % r->m->bp_entries];
	if (taken && *state < 2)
		r->count[CTR_BR_MISP_TK]++;
	if (!taken && *state >= 2)
		r->count[CTR_BR_MISP_NT]++;
	if (taken && *state < 3)
		++*state;
	if (!taken && *state > 0)
		--*state;
}

static inline void ref_indirect(struct ref *r, uint64_t pc, uint64_t target)
{
	struct ref_cpu *c = &r->cpu[r->running];
	uint64_t *known = r->m->ind ? &c->ind[pc % r->m->ind] : NULL;

	if (!(r->parts & SIM_TARGETS))
		return;
	if (!known || *known != target)
		r->count[CTR_BR_MISP_IND]++;
	if (known)
		*known = target;
}

static inline void ref_call(struct ref *r, uint64_t return_address)
{
	struct ref_cpu *c = &r->cpu[r->running];

	if (!(r->parts & SIM_TARGETS) || !r->m->ras)
		return;
	if (c->depth == r->m->ras)
		memmove(c->ras, c->ras + 1, --c->depth * sizeof(*c->ras));
	c->ras[c->depth++] = return_address;
}

static inline void ref_return(struct ref *r, uint64_t target)
{
	struct ref_cpu *c = &r->cpu[r->running];

	if (!(r->parts & SIM_TARGETS))
		return;
	if (!c->depth || c->ras[--c->depth] != target)
		r->count[CTR_BR_MISP_RET]++;
}

static inline void ref_take_external(struct ref *r, unsigned cpu, uint64_t *count)
{
	for (unsigned i = 0; i < SIM_NCOUNTERS; i++) {
		count[i] += r->cpu[cpu].external[i];
		r->cpu[cpu].external[i] = 0;
	}
}

#endif
