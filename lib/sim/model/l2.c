#include "sim/model/l2.h"

#include "sim/model/coherence.h"
#include "sim/model/l3.h"

/* Returns the line's word, or NULL. The constant 2 unrolls the loop. */
static inline uint64_t *find(const struct sim *s, uint64_t *set, uint64_t addr)
{
	return s->l2.ways == 2 ? cache_find(&s->l2, set, addr, 2)
			       : cache_find(&s->l2, set, addr, s->l2.ways);
}

/* As find(), and marks the line as used. */
static uint64_t *find_and_touch(struct sim *s, uint64_t *set, uint64_t addr,
				enum l2_kind kind)
{
	uint64_t *at = find(s, set, addr);

	if (!at)
		return NULL;
	if (!s->l2.fixed)
		return cache_touch(&s->l2, set, at);
	uint8_t *way = l2_way(s, addr);

	if (at != set + *way) {
		s->count[kind == L2_INSN ? CTR_WAY_MISS_I : CTR_WAY_MISS_D]++;
		*way ^= 1;
	}
	return at;
}

/* Stores the line's word. Returns the replaced word; a way table selects which. */
static uint64_t fill(struct sim *s, uint64_t *set, uint64_t addr, uint64_t word)
{
	if (!s->l2.fixed)
		return cache_fill(set, word, s->l2.ways);
	uint8_t *way = l2_way(s, addr);

	if (set[*way])
		*way ^= 1;
	const uint64_t gone = set[*way];

	set[*way] = word;
	return gone;
}

static void evict(struct sim *s, uint64_t word, uint64_t addr)
{
	const uint64_t gone = cache_addr(&s->l2, word, addr);

	if (s->l2.inclusive)
		coherence_drop_l1(s, s->cpu, gone, s->count);
	if (word & WORD_DIRTY)
		coherence_write_back(s, gone, s->count);
}

/*
 * The running CPU fills a line, or makes it dirty. Other accesses share nothing: a line
 * that this CPU has is one that it may read, and a dirty one is its own.
 */
static void share(struct sim *s, uint64_t addr, int is_write)
{
	if (s->ncpus > 1)
		sharing_access(&s->sharing, addr >> s->l2shift, s->running, s->ncpus,
			       is_write);
}

static void make_dirty(struct sim *s, uint64_t *at, uint64_t addr)
{
	if (*at & WORD_DIRTY)
		return;
	share(s, addr, 1);
	if (*at & WORD_EXCLUSIVE) {
		s->count[CTR_ST_EXCL_CLEAN]++;
	} else {
		s->count[CTR_ST_EXCL_SHARED]++;
		coherence_write(s, addr);
	}
	*at |= WORD_DIRTY | WORD_EXCLUSIVE;
}

/* Counts a miss. Returns whether other CPUs keep the line. */
static int miss(struct sim *s, uint64_t addr, enum l2_kind kind)
{
	static const struct {
		enum sim_counter l2, l3;
	} counter[] = {[L2_INSN] = {CTR_L2_I_MISS, CTR_L3_I_MISS},
		       [L2_READ] = {CTR_L2_RD_MISS, CTR_L3_RD_MISS},
		       [L2_WRITE] = {CTR_L2_WR_MISS, CTR_L3_WR_MISS}};

	s->count[counter[kind].l2]++;
	if (kind != L2_INSN)
		l2_prefetch_host(s, addr, s->l2.line + 1);
	l3_ref(s, addr, counter[kind].l3);
	if (s->ncpus == 1)
		return 0;
	if (kind != L2_WRITE) {
		share(s, addr, 0);
		return coherence_read(s, addr);
	}
	coherence_write(s, addr);
	return 0;
}

/* Fills an absent line. Returns its word. */
static uint64_t *fetch(struct sim *s, uint64_t *set, uint64_t addr, enum l2_kind kind)
{
	const uint64_t alone = miss(s, addr, kind) ? 0 : WORD_EXCLUSIVE;
	const uint64_t bits = alone | cache_subs(&s->l2, addr, addr);
	const uint64_t gone = fill(s, set, addr, cache_word(&s->l2, addr, bits));

	if (gone)
		evict(s, gone, addr);
	return s->l2.fixed ? set + *l2_way(s, addr) : set;
}

void l2_ref_slow(struct sim *s, uint64_t addr, enum l2_kind kind)
{
	uint64_t *set = cache_set(&s->l2, s->cpu->l2, addr);
	uint64_t *at = find_and_touch(s, set, addr, kind);
	const uint64_t sub = cache_subs(&s->l2, addr, addr);

	if (!at) {
		at = fetch(s, set, addr, kind);
	} else if (sub & ~*at) {
		/* The line is present, but this sub-block is not. */
		if (miss(s, addr, kind) && !(*at & WORD_DIRTY))
			*at &= ~(uint64_t)WORD_EXCLUSIVE;
		*at |= sub;
	}
	if (kind == L2_WRITE)
		make_dirty(s, at, addr);
}

void l2_make_dirty(struct sim *s, uint64_t addr)
{
	uint64_t *at = find(s, cache_set(&s->l2, s->cpu->l2, addr), addr);

	if (at)
		make_dirty(s, at, addr);
}
