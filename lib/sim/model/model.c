/* Sets up a machine and its CPUs. */
#include "sim/model/model.h"

#include "sim/model/cache.h"
#include "sim/model/hint.h"
#include "sim/model/l1.h"
#include "sim/model/twoway.h"

/* A CPU's memory is one allocation: a first pass adds up sizes, a second assigns. */
struct arena {
	char *mem; /* NULL in the first pass */
	size_t used;
};

static void *arena_alloc(struct arena *p, size_t size)
{
	void *at = p->mem ? p->mem + p->used : NULL;

	p->used += (size + 63) & ~(size_t)63;
	return at;
}

static void clear(void *mem, size_t size)
{
	/* volatile, so that no compiler makes this a call of memset(). */
	volatile char *p = mem;

	while (size--)
		*p++ = 0;
}

/* All parts off: the fast paths find every word, key and page equal. */
static void disable_all(struct sim *s)
{
	s->i1.set_mask = s->d1.set_mask = 0;
	s->i1.low = s->d1.low = ~UINT64_C(0);
	s->ipage_low = s->dpage_low = ~UINT64_C(0);
}

static int init_caches(struct sim *s, const struct machine *m)
{
	/* L2 and L3 look up addresses of L1 lines: theirs must not be smaller. */
	if (m->i1.line > m->l2.line || m->d1.line > m->l2.line || m->i1.sub != m->i1.line)
		return -1;
	if (m->d1.writeback != m->d1.alloc || !m->l2.writeback || !m->l2.alloc)
		return -1;
	if (cache_init(&s->real_i1, &m->i1, 0) ||
	    cache_init(&s->real_d1, &m->d1, WORD_DIRTY) ||
	    cache_init(&s->l2, &m->l2, WORD_DIRTY | WORD_EXCLUSIVE))
		return -1;
	s->l2shift = floor_log2(m->l2.line);
	s->l2.fixed = m->waypred != 0;
	s->waymask = m->waypred ? m->waypred - 1 : 0;
	if (m->waypred && (!is_pow2(m->waypred) || m->l2.ways != 2 || s->l2.subs))
		return -1;
	if (m->wmerge && (!is_pow2(m->wmerge) || m->wmerge < 2 || m->wmerge > m->l2.sub))
		return -1;
	if (!m->l3.size)
		return 0;
	if (m->l3.line < m->l2.line || m->l3.sub != m->l3.line)
		return -1;
	return cache_init_any(&s->l3, &m->l3, WORD_DIRTY);
}

static int init_tlbs(struct simcpu *c, const struct machine *m)
{
	const struct {
		struct tlb *t;
		const struct mtlb *m;
	} all[] = {{&c->itlb1, &m->itlb1},
		   {&c->dtlb1, &m->dtlb1},
		   {&c->itlb, &m->itlb},
		   {&c->dtlb, &m->dtlb}};

	for (unsigned i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (all[i].m->entries && tlb_init(all[i].t, all[i].m))
			return -1;
	return 0;
}

/* The TLB whose page size counts, for code and for data: the first level. */
static const struct mtlb *ipages(const struct machine *m)
{
	if (m->itlb1.entries)
		return &m->itlb1;
	return m->joint ? &m->dtlb : &m->itlb;
}

static const struct mtlb *dpages(const struct machine *m)
{
	return m->dtlb1.entries ? &m->dtlb1 : &m->dtlb;
}

/* Returns 0 if the model can represent these TLBs and predictors, else -1. */
static int check_machine(const struct machine *m)
{
	struct simcpu none;

	if (init_tlbs(&none, m))
		return -1;
	if ((m->itlb1.entries && !m->itlb.entries) ||
	    (m->dtlb1.entries && !m->dtlb.entries))
		return -1;
	if (m->joint && (m->itlb1.entries || m->dtlb1.entries))
		return -1;
	/* A line must lie within one page. */
	if (m->dtlb.entries && dpages(m)->page < m->d1.line)
		return -1;
	if (!is_pow2(m->bp_entries) || m->bp_init > 3 || m->bp_shift > 63 ||
	    m->bp_fold > 63)
		return -1;
	if (m->bp == BP_GSHARE && (m->bp_hist > 63 || m->bp_entries >> m->bp_hist == 0))
		return -1;
	return m->ind && !is_pow2(m->ind) ? -1 : 0;
}

static void lay_out_caches(struct sim *s, struct simcpu *c, struct arena *p)
{
	c->i1_saved = arena_alloc(p, cache_words(&s->real_i1) * sizeof(*c->i1));
	c->d1_saved = arena_alloc(p, cache_words(&s->real_d1) * sizeof(*c->d1));
	c->i1 = c->i1_saved + s->real_i1.hints;
	c->d1 = c->d1_saved + s->real_d1.hints;
	c->l2 = arena_alloc(p, cache_words(&s->l2) * sizeof(*c->l2));
	c->way = arena_alloc(p, s->waymask + 1);
}

static void lay_out_tlbs(struct sim *s, struct simcpu *c, struct arena *p)
{
	struct tlb *const all[] = {&c->itlb1, &c->dtlb1, &c->itlb, &c->dtlb};

	init_tlbs(c, s->m);
	for (unsigned i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		void *mem = all[i]->ways ? arena_alloc(p, tlb_size(all[i])) : NULL;

		if (mem)
			tlb_set_memory(all[i], mem);
	}
}

static void lay_out(struct sim *s, struct simcpu *c, unsigned parts, struct arena *p)
{
	if (parts & SIM_CACHES)
		lay_out_caches(s, c, p);
	if (parts & SIM_TLBS)
		lay_out_tlbs(s, c, p);
	if (parts & SIM_BRANCHES)
		c->bp = arena_alloc(p, s->m->bp_entries);
	if (parts & SIM_TARGETS) {
		c->ind = arena_alloc(p, s->m->ind * sizeof(*c->ind));
		c->ras = arena_alloc(p, s->m->ras * sizeof(*c->ras));
	}
}

/*
 * Allocates the parts that c lacks. Returns -1 if memory runs out; c is then as before.
 */
static int alloc_cpu_parts(struct sim *s, struct simcpu *c, unsigned parts)
{
	struct simcpu scratch;
	struct arena p = {NULL, 0};

	parts &= ~c->parts;
	clear(&scratch, sizeof(scratch));
	lay_out(s, &scratch, parts, &p);
	if (!p.used)
		return 0;
	p.mem = s->alloc(p.used + 63);
	if (!p.mem)
		return -1;
	p.mem += -(uintptr_t)p.mem & 63;
	p.used = 0;
	lay_out(s, c, parts, &p);
	c->parts |= parts;
	return 0;
}

/* Gives these parts of c their first state. */
static void reset_cpu(struct sim *s, struct simcpu *c, unsigned parts)
{
	if (parts & SIM_CACHES)
		c->store_block = s->d1.writeback ? ~UINT64_C(0) : 0;
	if (parts & SIM_BRANCHES)
		for (unsigned i = 0; i < s->m->bp_entries; i++)
			*(volatile uint8_t *)&c->bp[i] =
				(uint8_t)(s->m->bp_init * SIM_BP_SCALE);
	if (!(parts & SIM_TLBS))
		return;
	if (s->ipage_low != ~UINT64_C(0))
		c->ipage = 0;
	if (s->dpage_low != ~UINT64_C(0))
		for (unsigned i = 0; i < SIM_PAGES; i++)
			*(volatile uint64_t *)&c->dpage[i] = 0;
}

static void enable_caches(struct sim *s)
{
	const uint64_t merge = s->m->wmerge ? s->m->wmerge - 1 : 1;

	s->i1 = s->real_i1;
	s->d1 = s->real_d1;
	s->ignore_dirty = s->d1.writeback ? 0 : WORD_DIRTY;
	s->block_low = s->d1.writeback ? ~UINT64_C(0) : merge;
	s->is_twoway = s->real_d1.hints != 0;
	s->split_bits = ~(s->d1.writeback ? s->d1.line : s->d1.line & merge);
}

/* volatile, so that no compiler makes this a call of memcpy(). */
static void copy_words(volatile uint64_t *to, const uint64_t *from, size_t n)
{
	while (n--)
		*to++ = *from++;
}

/* Moves the L1 words of the running CPU to its own memory. */
static void save_l1(struct sim *s)
{
	struct simcpu *c = s->cpu;

	copy_words(c->i1_saved, s->i1_sets, cache_words(&s->i1));
	copy_words(c->d1_saved, s->d1_sets, cache_words(&s->d1));
	c->i1 = c->i1_saved + s->i1.hints;
	c->d1 = c->d1_saved + s->d1.hints;
}

/*
 * Moves the L1 words of a CPU, which runs from now on, to where generated code reads
 * them.
 */
static void restore_l1(struct sim *s, struct simcpu *c)
{
	copy_words(s->i1_sets, c->i1_saved, cache_words(&s->i1));
	copy_words(s->d1_sets, c->d1_saved, cache_words(&s->d1));
	c->i1 = s->i1_sets + s->i1.hints;
	c->d1 = s->d1_sets + s->d1.hints;
}

/* After a failed sim_enable() a CPU may have a predictor that is off. */
static void select_memory(struct sim *s)
{
	s->bp = s->parts & SIM_BRANCHES ? s->cpu->bp : NULL;
	s->l2_words = s->cpu->l2;
	s->way = s->cpu->way;
}

static void enable_parts(struct sim *s, unsigned parts)
{
	if (parts & SIM_CACHES)
		enable_caches(s);
	if (parts & SIM_TLBS) {
		if (ipages(s->m)->entries)
			s->ipage_low = ipages(s->m)->page - 1;
		if (dpages(s->m)->entries) {
			s->dpage_low = dpages(s->m)->page - 1;
			s->dshift = floor_log2(dpages(s->m)->page);
		}
	}
	for (unsigned i = 0; i < s->ncpus; i++)
		if (s->cpus[i])
			reset_cpu(s, s->cpus[i], parts);
	s->parts |= parts;
	if (s->is_twoway && (parts & SIM_CACHES))
		restore_l1(s, s->cpu);
	for (unsigned i = 0; s->is_twoway && i < s->ncpus; i++)
		if (s->cpus[i])
			hint_drop_all(s->cpus[i]);
	select_memory(s);
}

int sim_enable(struct sim *s, unsigned parts)
{
	parts &= ~s->parts;
	if ((parts & SIM_CACHES) && s->l3.ways && !s->l3words) {
		s->l3words = s->alloc(cache_words(&s->l3) * sizeof(*s->l3words));
		if (!s->l3words)
			return -1;
	}
	for (unsigned i = 0; i < s->ncpus; i++)
		if (s->cpus[i] && alloc_cpu_parts(s, s->cpus[i], parts))
			return -1;
	enable_parts(s, parts);
	return 0;
}

static struct simcpu *new_cpu(struct sim *s)
{
	struct simcpu *c = s->alloc(sizeof(*c));

	if (!c)
		return NULL;
	c->i1 = c->d1 = &c->zero;
	c->ipage = ~UINT64_C(0);
	for (unsigned i = 0; i < SIM_PAGES; i++)
		*(volatile uint64_t *)&c->dpage[i] = ~UINT64_C(0);
	if (alloc_cpu_parts(s, c, s->parts))
		return NULL;
	reset_cpu(s, c, s->parts);
	return c;
}

int sim_switch_cpu(struct sim *s, unsigned cpu)
{
	if (cpu >= SIM_MAXCPUS)
		return -1;
	struct simcpu *c = s->cpus[cpu];

	if (!c)
		c = new_cpu(s);
	if (!c)
		return -1;
	s->cpus[cpu] = c;
	if (cpu >= s->ncpus)
		s->ncpus = cpu + 1;
	if (s->cpu == c)
		return 0;
	if (s->cpu)
		s->cpu->history = s->history;
	if (s->is_twoway) {
		save_l1(s);
		restore_l1(s, c);
	}
	s->cpu = c;
	s->running = cpu;
	select_memory(s);
	s->history = c->history;
	return 0;
}

int sim_open(struct sim *s, const struct machine *m, unsigned parts, uint64_t *count,
	     void *(*alloc)(size_t size), uint64_t (*fetched)(void))
{
	clear(s, sizeof(*s));
	s->m = m;
	s->count = count;
	s->alloc = alloc;
	s->fetched = fetched;
	s->sharing.alloc = alloc;
	s->sharing.turn = 1;
	disable_all(s);
	if (init_caches(s, m) || check_machine(m))
		return -1;
	twoway_init(s);
	if (sim_switch_cpu(s, 0))
		return -1;
	return sim_enable(s, parts);
}

void sim_collect_external(struct sim *s, unsigned cpu, uint64_t *count)
{
	static const enum sim_counter external[] = {
		CTR_EXT_ITV, CTR_EXT_INV, CTR_D1_WB_QW, CTR_L2_WB, CTR_L2_WB_QW};
	struct simcpu *c = cpu < SIM_MAXCPUS ? s->cpus[cpu] : NULL;

	if (!c)
		return;
	for (unsigned i = 0; i < sizeof(external) / sizeof(external[0]); i++) {
		count[external[i]] += c->external[external[i]];
		c->external[external[i]] = 0;
	}
}

void sim_settle(struct sim *s)
{
	if (s->is_twoway)
		twoway_settle(s);
}

void sim_fetch(struct sim *s, uint64_t addr)
{
	if (s->is_twoway)
		twoway_fetch(s, addr);
	else
		l1_fetch(s, addr);
}

void sim_load(struct sim *s, uint64_t addr, unsigned size)
{
	if (s->is_twoway)
		twoway_load(s, addr, size);
	else
		l1_load(s, addr, size);
}

void sim_store(struct sim *s, uint64_t addr, unsigned size)
{
	if (s->is_twoway)
		twoway_store(s, addr, size);
	else
		l1_store(s, addr, size);
}

void sim_prefetch(struct sim *s, uint64_t addr, int for_writing)
{
	l1_prefetch(s, addr, for_writing);
}
