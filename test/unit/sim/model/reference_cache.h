/* The caches of the reference model (reference.h), and effects between CPUs. */
#ifndef SIM_MODEL_REFERENCE_CACHE_H
#define SIM_MODEL_REFERENCE_CACHE_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sim/model/model.h"

enum { REF_CPUS = 4, REF_RAS = 64, REF_IND = 2048 };

/* States of a line: exclusive, dirty, shared. Only L2 uses REF_S. */
enum ref_state { REF_E, REF_D, REF_S };

struct ref_line {
	uint64_t number; /* address / line size */
	unsigned subs;	 /* bit n: sub-block n is present; 0: no line */
	enum ref_state state;
	uint64_t time; /* time of the last use; with FIFO: of the fill */
};

struct ref_cache {
	const struct mcache *m;
	struct ref_line *line; /* sets one after the other */
	uint64_t clock;	       /* time of the latest use or fill */
};

struct ref_tlb {
	const struct mtlb *m;
	uint64_t *entry; /* page number + 1; 0: none. Sets one after the other */
	unsigned *next;	 /* of each set: the way to fill next */
};

struct ref_cpu {
	struct ref_cache i1, d1, l2;
	uint8_t *way; /* predicted way, by L2 line number */
	struct ref_tlb itlb1, dtlb1, itlb, dtlb;
	uint64_t fetched; /* page of the last fetch + 1 */
	uint64_t merged;  /* block of the last store that went to L2 + 1 */
	uint8_t *bp;
	uint64_t history;
	uint64_t ras[REF_RAS], ind[REF_IND];
	unsigned depth;
	uint64_t external[SIM_NCOUNTERS];
};

struct ref {
	const struct machine *m;
	unsigned parts;
	uint64_t *count;
	unsigned running;
	struct ref_cpu cpu[REF_CPUS];
	struct ref_cache l3;
};

static inline void *ref_alloc(size_t n, size_t size)
{
	void *p = calloc(n, size);

	if (!p)
		abort();
	return p;
}

static inline void ref_cache_init(struct ref_cache *c, const struct mcache *m)
{
	c->m = m;
	if (m->size)
		c->line = ref_alloc(m->size / m->line, sizeof(*c->line));
}

static inline void ref_tlb_init(struct ref_tlb *t, const struct mtlb *m)
{
	t->m = m;
	if (!m->entries)
		return;
	t->entry = ref_alloc(m->entries, sizeof(*t->entry));
	t->next = ref_alloc(m->ways ? m->entries / m->ways : 1, sizeof(*t->next));
}

static inline void ref_open(struct ref *r, const struct machine *m, unsigned parts,
			    uint64_t *count)
{
	memset(r, 0, sizeof(*r));
	r->m = m;
	r->parts = parts;
	r->count = count;
	ref_cache_init(&r->l3, &m->l3);
	for (unsigned i = 0; i < REF_CPUS; i++) {
		struct ref_cpu *c = &r->cpu[i];

		ref_cache_init(&c->i1, &m->i1);
		ref_cache_init(&c->d1, &m->d1);
		ref_cache_init(&c->l2, &m->l2);
		ref_tlb_init(&c->itlb1, &m->itlb1);
		ref_tlb_init(&c->dtlb1, &m->dtlb1);
		ref_tlb_init(&c->itlb, &m->itlb);
		ref_tlb_init(&c->dtlb, &m->dtlb);
		c->way = ref_alloc(m->waypred + 1, 1);
		c->bp = ref_alloc(m->bp_entries, 1);
		memset(c->bp, (int)m->bp_init, m->bp_entries);
	}
}

static inline void ref_close(struct ref *r)
{
	for (unsigned i = 0; i < REF_CPUS; i++) {
		struct ref_cpu *c = &r->cpu[i];
		struct ref_tlb *const tlbs[] = {&c->itlb1, &c->dtlb1, &c->itlb, &c->dtlb};

		free(c->i1.line);
		free(c->d1.line);
		free(c->l2.line);
		for (unsigned k = 0; k < 4; k++) {
			free(tlbs[k]->entry);
			free(tlbs[k]->next);
		}
		free(c->way);
		free(c->bp);
	}
	free(r->l3.line);
}

/* Returns the counters of a CPU: the caller's, or external unless this CPU runs. */
static inline uint64_t *ref_counts(struct ref *r, const struct ref_cpu *c)
{
	return c == &r->cpu[r->running] ? r->count : r->cpu[c - r->cpu].external;
}

/* ---- Caches */

static inline struct ref_line *ref_set(const struct ref_cache *c, uint64_t addr)
{
	const unsigned sets = c->m->size / c->m->line / c->m->ways;

	return &c->line[addr / c->m->line % sets * c->m->ways];
}

static inline struct ref_line *ref_find(const struct ref_cache *c, uint64_t addr)
{
	struct ref_line *set = ref_set(c, addr);

	for (unsigned i = 0; i < c->m->ways; i++)
		if (set[i].subs && set[i].number == addr / c->m->line)
			return &set[i];
	return NULL;
}

/* Returns the line to replace: an unused one, else the one with the oldest time. */
static inline struct ref_line *ref_oldest(const struct ref_cache *c, uint64_t addr)
{
	struct ref_line *set = ref_set(c, addr), *oldest = set;

	for (unsigned i = 0; i < c->m->ways; i++)
		if (!set[i].subs)
			return &set[i];
	for (unsigned i = 1; i < c->m->ways; i++)
		if (set[i].time < oldest->time)
			oldest = &set[i];
	return oldest;
}

static inline void ref_touch(struct ref_cache *c, struct ref_line *l)
{
	if (c->m->repl == REPL_LRU)
		l->time = ++c->clock;
}

/* Returns the bits of the sub-blocks from addr to end, which are in one line. */
static inline unsigned ref_subs(const struct ref_cache *c, uint64_t addr, uint64_t end)
{
	unsigned subs = 0;

	for (uint64_t a = addr / c->m->sub; a <= end / c->m->sub; a++)
		subs |= 1u << a % (c->m->line / c->m->sub);
	return subs;
}

static inline void ref_put(struct ref_cache *c, struct ref_line *l, uint64_t addr,
			   unsigned subs, enum ref_state state)
{
	l->number = addr / c->m->line;
	l->subs = subs;
	l->state = state;
	l->time = ++c->clock;
}

/* ---- Lines that leave L1, L2, L3 */

static inline void ref_l1_writeback(struct ref *r, struct ref_cpu *c, struct ref_line *l)
{
	if (l->state == REF_D)
		ref_counts(r, c)[CTR_D1_WB_QW] += r->m->d1.line / 16;
	l->state = REF_E;
}

/* Writes back the dirty L1D lines of an L2 line; if drop, removes its L1 lines. */
static inline void ref_l1_of_l2(struct ref *r, struct ref_cpu *c, uint64_t number,
				int drop)
{
	const uint64_t begin = number * r->m->l2.line, end = begin + r->m->l2.line;

	for (uint64_t a = begin; a < end; a += r->m->d1.line) {
		struct ref_line *l = ref_find(&c->d1, a);

		if (!l)
			continue;
		ref_l1_writeback(r, c, l);
		if (drop)
			l->subs = 0;
	}
	for (uint64_t a = begin; drop && a < end; a += r->m->i1.line) {
		struct ref_line *l = ref_find(&c->i1, a);

		if (l)
			l->subs = 0;
	}
}

static inline void ref_l3_fill(struct ref *r, uint64_t addr, enum ref_state state)
{
	struct ref_line *l = ref_oldest(&r->l3, addr);

	if (l->subs && l->state == REF_D)
		r->count[CTR_L3_WB]++;
	ref_put(&r->l3, l, addr, 1, state);
}

/* Writes back a dirty L2 line to L3 or to memory. */
static inline void ref_l2_writeback(struct ref *r, struct ref_cpu *c, uint64_t number)
{
	const uint64_t addr = number * r->m->l2.line;
	uint64_t *count = ref_counts(r, c);

	count[CTR_L2_WB]++;
	count[CTR_L2_WB_QW] += r->m->l2.line / 16;
	if (!r->m->l3.size)
		return;
	struct ref_line *l = ref_find(&r->l3, addr);
	if (l)
		l->state = REF_D;
	else
		ref_l3_fill(r, addr, REF_D);
}

static inline void ref_l2_leave(struct ref *r, struct ref_cpu *c, struct ref_line *l)
{
	if (!l->subs)
		return;
	if (r->m->l2.inclusive)
		ref_l1_of_l2(r, c, l->number, 1);
	if (l->state == REF_D)
		ref_l2_writeback(r, c, l->number);
	l->subs = 0;
}

/* ---- Other CPUs */

/* Another CPU takes or shares a line: the next store to the line merges with no other. */
static inline void ref_end_merge(struct ref *r, struct ref_cpu *c, uint64_t number)
{
	const uint64_t size = r->m->wmerge ? r->m->wmerge : r->m->d1.line;

	if (c->merged && (c->merged - 1) * size / r->m->l2.line == number)
		c->merged = 0;
}

/* Removes the line from this CPU, for a write by another. Writes dirty data back. */
static inline void ref_invalidate(struct ref *r, struct ref_cpu *c, struct ref_line *l)
{
	ref_end_merge(r, c, l->number);
	ref_l1_of_l2(r, c, l->number, 1);
	if (l->state == REF_D)
		ref_l2_writeback(r, c, l->number);
	l->subs = 0;
}

/* The running CPU misses in L2. Returns whether another CPU had the line. */
static inline int ref_miss_in_others(struct ref *r, uint64_t addr, int write)
{
	int found = 0;

	for (unsigned i = 0; i < REF_CPUS; i++) {
		struct ref_cpu *c = &r->cpu[i];
		struct ref_line *l = i == r->running ? NULL : ref_find(&c->l2, addr);

		if (!l)
			continue;
		found = 1;
		if (l->state != REF_S)
			c->external[CTR_EXT_ITV]++;
		else if (write)
			c->external[CTR_EXT_INV]++;
		if (write) {
			ref_invalidate(r, c, l);
			continue;
		}
		if (l->state != REF_S)
			ref_end_merge(r, c, l->number);
		if (l->state == REF_D) {
			ref_l1_of_l2(r, c, l->number, 0);
			ref_l2_writeback(r, c, l->number);
		}
		l->state = REF_S;
	}
	return found;
}

/* The running CPU writes to the line of addr, if its L2 has the line. */
static inline void ref_make_dirty(struct ref *r, uint64_t addr)
{
	struct ref_line *own = ref_find(&r->cpu[r->running].l2, addr);

	if (!own || own->state == REF_D)
		return;
	if (own->state == REF_E)
		r->count[CTR_ST_EXCL_CLEAN]++;
	else
		r->count[CTR_ST_EXCL_SHARED]++;
	for (unsigned i = 0; own->state == REF_S && i < REF_CPUS; i++) {
		struct ref_cpu *c = &r->cpu[i];
		struct ref_line *l = i == r->running ? NULL : ref_find(&c->l2, addr);

		if (!l)
			continue;
		c->external[CTR_EXT_INV]++;
		ref_invalidate(r, c, l);
	}
	own->state = REF_D;
}

/* ---- References to L2 and L3 */

enum ref_kind { REF_FETCH, REF_READ, REF_WRITE };

static inline void ref_l3(struct ref *r, uint64_t addr, enum ref_kind kind)
{
	static const enum sim_counter miss[] = {CTR_L3_I_MISS, CTR_L3_RD_MISS,
						CTR_L3_WR_MISS};
	struct ref_line *l = ref_find(&r->l3, addr);

	if (l) {
		ref_touch(&r->l3, l);
		return;
	}
	r->count[miss[kind]]++;
	ref_l3_fill(r, addr, REF_E);
}

/* With a way table: a hit in the other than the predicted way flips the table's bit. */
static inline void ref_way_hit(struct ref *r, uint64_t addr, const struct ref_line *l,
			       enum ref_kind kind)
{
	struct ref_cpu *c = &r->cpu[r->running];
	uint8_t *way = &c->way[addr / r->m->l2.line % r->m->waypred];
	const unsigned hit = (unsigned)(l - ref_set(&c->l2, addr));

	if (hit == *way)
		return;
	r->count[kind == REF_FETCH ? CTR_WAY_MISS_I : CTR_WAY_MISS_D]++;
	*way = (uint8_t)hit;
}

static inline struct ref_line *ref_l2_victim(struct ref *r, uint64_t addr)
{
	struct ref_cpu *c = &r->cpu[r->running];

	if (!r->m->waypred)
		return ref_oldest(&c->l2, addr);
	uint8_t *way = &c->way[addr / r->m->l2.line % r->m->waypred];
	struct ref_line *set = ref_set(&c->l2, addr);
	if (set[*way].subs)
		*way = !*way;
	return &set[*way];
}

static inline void ref_l2(struct ref *r, uint64_t addr, enum ref_kind kind)
{
	static const enum sim_counter miss[] = {CTR_L2_I_MISS, CTR_L2_RD_MISS,
						CTR_L2_WR_MISS};
	struct ref_cpu *c = &r->cpu[r->running];
	const unsigned sub = ref_subs(&c->l2, addr, addr);
	struct ref_line *l = ref_find(&c->l2, addr);

	if (l && r->m->waypred)
		ref_way_hit(r, addr, l, kind);
	if (!l || !(l->subs & sub)) {
		r->count[miss[kind]]++;
		if (r->m->l3.size)
			ref_l3(r, addr, kind);
		const int shared = ref_miss_in_others(r, addr, kind == REF_WRITE);
		if (!l) {
			l = ref_l2_victim(r, addr);
			ref_l2_leave(r, c, l);
			ref_put(&c->l2, l, addr, 0,
				shared && kind != REF_WRITE ? REF_S : REF_E);
		} else if (shared && kind != REF_WRITE && l->state != REF_D) {
			l->state = REF_S;
		}
		l->subs |= sub;
	}
	ref_touch(&c->l2, l);
	if (kind == REF_WRITE)
		ref_make_dirty(r, addr);
}

/* Fills L1 after the reference to L2. Some sub-blocks may be present already. */
static inline void ref_l1_fill(struct ref *r, struct ref_cache *c, uint64_t addr,
			       unsigned subs, enum ref_state state)
{
	struct ref_cpu *cpu = &r->cpu[r->running];
	struct ref_line *l = ref_find(c, addr);

	if (l) {
		l->subs |= subs;
		if (state == REF_D)
			l->state = REF_D;
		ref_touch(c, l);
		return;
	}
	l = ref_oldest(c, addr);
	if (c == &cpu->d1 && l->subs)
		ref_l1_writeback(r, cpu, l);
	ref_put(c, l, addr, subs, state);
}

#endif
