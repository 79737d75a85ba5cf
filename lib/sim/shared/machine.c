#include "sim/shared/machine.h"

#include <stddef.h>

#define IN(member) offsetof(struct machine, member), sizeof(((struct machine *)0)->member)

enum { K = 1024, M = 1024 * K, G = 1024 * M };

/* A word, a number, a number that is a power of two, a number that may be left out. */
#define WORD(name, words, min, max, part, member)                             \
	{                                                                     \
		name, words, min, max, 0, KEY_NEEDED, PART_##part, IN(member) \
	}
#define NUMBER(name, min, max, part, member)                                 \
	{                                                                    \
		name, NULL, min, max, 0, KEY_NEEDED, PART_##part, IN(member) \
	}
#define POWER(name, min, max, part, member)                                  \
	{                                                                    \
		name, NULL, min, max, 1, KEY_NEEDED, PART_##part, IN(member) \
	}
#define ELSE(name, min, max, power, otherwise, part, member)                    \
	{                                                                       \
		name, NULL, min, max, power, otherwise, PART_##part, IN(member) \
	}

/*
 * The model's limits: 64 ways of a cache, 32,768 entries of a TLB; a line lies within the
 * smallest page. The others only keep out values that no machine has.
 */
/* clang-format off */
const struct machine_key machine_keys[] = {
	NUMBER("mhz", 1, 100000, ALWAYS, mhz),
	NUMBER("width", 1, 64, ALWAYS, width),
	{ "issue", "out-of-order in-order", 0, 1, 0, 0, PART_ALWAYS, IN(in_order) },
	NUMBER("turn", 1, 100000, ALWAYS, turn),
	POWER("simd", 0, 64, ALWAYS, simd),
	NUMBER("i1.size", 64, 64*M, ALWAYS, i1.size),
	POWER("i1.line", 16, 4*K, ALWAYS, i1.line),
	NUMBER("i1.ways", 1, 64, ALWAYS, i1.ways),
	WORD("i1.repl", "lru fifo", 0, 1, ALWAYS, i1.repl),
	NUMBER("d1.size", 64, 64*M, ALWAYS, d1.size),
	POWER("d1.line", 16, 4*K, ALWAYS, d1.line),
	ELSE("d1.sub", 2, 4*K, 1, KEY_BEFORE, ALWAYS, d1.sub),
	NUMBER("d1.ways", 1, 64, ALWAYS, d1.ways),
	WORD("d1.repl", "lru fifo", 0, 1, ALWAYS, d1.repl),
	WORD("d1.write", "through back", 0, 1, ALWAYS, d1.writeback),
	WORD("d1.alloc", "no yes", 0, 1, ALWAYS, d1.alloc),
	POWER("wmerge", 0, 4*K, ALWAYS, wmerge),
	NUMBER("l2.size", 64, G, ALWAYS, l2.size),
	POWER("l2.line", 16, 4*K, ALWAYS, l2.line),
	ELSE("l2.sub", 2, 4*K, 1, KEY_BEFORE, ALWAYS, l2.sub),
	NUMBER("l2.ways", 1, 64, ALWAYS, l2.ways),
	WORD("l2.repl", "lru fifo waypred", 0, 2, ALWAYS, l2.repl),
	WORD("l2.inclusive", "no yes", 0, 1, ALWAYS, l2.inclusive),
	POWER("waypred", 0, M, ALWAYS, waypred),
	NUMBER("l3.size", 0, G, ALWAYS, l3.size),
	POWER("l3.line", 16, 4*K, L3, l3.line),
	NUMBER("l3.ways", 1, 64, L3, l3.ways),
	WORD("l3.repl", "lru fifo", 0, 1, L3, l3.repl),
	WORD("tlb", "split joint", 0, 1, ALWAYS, joint),
	WORD("tlb.repl", "lru fifo", 1, 1, ALWAYS, dtlb.repl),
	WORD("prefetch.tlb", "drop walk", 0, 1, ALWAYS, prefetch_walk),
	NUMBER("itlb1.entries", 0, 32*K, SPLIT, itlb1.entries),
	NUMBER("itlb1.ways", 0, 32*K, ITLB1, itlb1.ways),
	POWER("itlb1.page", 4*K, G, ITLB1, itlb1.page),
	NUMBER("itlb.entries", 1, 32*K, SPLIT, itlb.entries),
	NUMBER("itlb.ways", 0, 32*K, SPLIT, itlb.ways),
	POWER("itlb.page", 4*K, G, SPLIT, itlb.page),
	NUMBER("dtlb1.entries", 0, 32*K, SPLIT, dtlb1.entries),
	NUMBER("dtlb1.ways", 0, 32*K, DTLB1, dtlb1.ways),
	POWER("dtlb1.page", 4*K, G, DTLB1, dtlb1.page),
	NUMBER("dtlb.entries", 1, 32*K, ALWAYS, dtlb.entries),
	NUMBER("dtlb.ways", 0, 32*K, ALWAYS, dtlb.ways),
	POWER("dtlb.page", 4*K, G, ALWAYS, dtlb.page),
	WORD("bp", "bimodal gshare", 0, 1, ALWAYS, bp),
	POWER("bp.entries", 1, 4*M, ALWAYS, bp_entries),
	NUMBER("bp.shift", 0, 63, ALWAYS, bp_shift),
	ELSE("bp.fold", 0, 63, 0, 0, GSHARE, bp_fold),
	NUMBER("bp.hist", 1, 22, GSHARE, bp_hist),
	NUMBER("bp.init", 0, 3, ALWAYS, bp_init),
	NUMBER("ras", 0, 64*K, ALWAYS, ras),
	POWER("ind", 0, M, ALWAYS, ind),
	{0},
};
/* clang-format on */

const char machine_ops[] =
	"alu shift branch load loadfp store vec mul32 mul64 fadd fmul fma "
	"div32 div64 fdiv32 fdiv64 fsqrt32 fsqrt64";
const char machine_groups[] = "fetch load tlb br wb";

int machine_has(const struct machine *m, enum machine_part part)
{
	switch (part) {
	case PART_L3:
		return m->l3.size != 0;
	case PART_SPLIT:
		return !m->joint;
	case PART_ITLB1:
		return !m->joint && m->itlb1.entries;
	case PART_DTLB1:
		return !m->joint && m->dtlb1.entries;
	case PART_GSHARE:
		return m->bp == BP_GSHARE;
	default:
		return 1;
	}
}

uint32_t machine_get(const struct machine *m, const struct machine_key *key)
{
	const char *at = (const char *)m + key->offset;

	return key->size == 1 ? *(const uint8_t *)at
			      : *(const uint32_t *)(const void *)at;
}

void machine_put(struct machine *m, const struct machine_key *key, uint32_t value)
{
	char *at = (char *)m + key->offset;

	if (key->size == 1)
		*(uint8_t *)at = (uint8_t)value;
	else
		*(uint32_t *)(void *)at = value;
}

void machine_complete(struct machine *m)
{
	struct mcache *const filled[] = {&m->l2, &m->l3};

	m->i1.sub = m->i1.line;
	m->l3.sub = m->l3.line;
	for (unsigned i = 0; i < 2; i++)
		filled[i]->writeback = filled[i]->alloc = filled[i]->size != 0;
	m->itlb1.repl = m->dtlb1.repl = m->itlb.repl = m->dtlb.repl;
}

static int is_power(uint64_t n)
{
	return n && !(n & (n - 1));
}

int machine_key_allows(const struct machine_key *key, uint64_t value)
{
	return value >= key->min && value <= key->max &&
	       (!key->power || !value || is_power(value));
}

/* The caller's function for faults, its argument, and the number of its calls. */
struct faults {
	void *arg;
	void (*fn)(void *arg, const char *key, const char *text);
	unsigned n;
};

static void rule(struct faults *f, int holds, const char *key, const char *text)
{
	if (holds)
		return;
	f->fn(f->arg, key, text);
	f->n++;
}

/* The most lines of a cache, 128 MB of words. */
enum { MAX_LINES = 16 * M, MAX_SUBS = 8 };

/* any: the number of sets may be one that is no power of two. */
static void check_sets(struct faults *f, const struct mcache *c, const char *ways,
		       int any)
{
	const uint32_t lines = c->size / c->line;
	const int whole = c->size % c->line == 0 && lines && lines % c->ways == 0;

	rule(f, lines <= MAX_LINES, ways, "the cache has more than 16777216 lines");
	rule(f, !any || whole, ways,
	     "the number of sets (size / line / ways) is not whole");
	rule(f, any || (whole && is_power(lines / c->ways)), ways,
	     "the number of sets (size / line / ways) is not a power of two");
}

static void check_subs(struct faults *f, const struct mcache *c, const char *sub)
{
	const uint32_t subs = c->line / c->sub;

	rule(f, c->sub <= c->line && subs <= MAX_SUBS, sub,
	     "must be from an eighth of a line to a line");
	/* The flags of sub-blocks must fit below the tag (sim/model/cache.h). */
	rule(f, subs <= 1 || subs > MAX_SUBS || c->size / c->ways >= 2048, sub,
	     "a cache with sub-blocks needs ways of at least 2048 bytes");
}

static void check_caches(struct faults *f, const struct machine *m)
{
	check_sets(f, &m->i1, "i1.ways", 0);
	check_sets(f, &m->d1, "d1.ways", 0);
	check_subs(f, &m->d1, "d1.sub");
	check_sets(f, &m->l2, "l2.ways", 0);
	check_subs(f, &m->l2, "l2.sub");
	if (m->l3.size)
		check_sets(f, &m->l3, "l3.ways", 1);
}

static void check_levels(struct faults *f, const struct machine *m)
{
	rule(f, m->i1.line <= m->l2.sub && m->d1.line <= m->l2.sub, "l2.line",
	     "L2 must fill at least a line of L1 at once");
	rule(f, m->i1.size <= m->l2.size && m->d1.size <= m->l2.size, "l2.size",
	     "must not be smaller than i1.size or d1.size");
	rule(f, !m->l3.size || m->l3.line >= m->l2.line, "l3.line",
	     "must not be shorter than l2.line");
	rule(f, !m->l3.size || m->l3.size >= m->l2.size, "l3.size",
	     "must be 0 or not smaller than l2.size");
	rule(f, m->d1.writeback == m->d1.alloc, "d1.alloc",
	     "must be yes if d1.write is back, and no if d1.write is through");
	rule(f, !m->waypred || (m->l2.ways == 2 && m->l2.sub == m->l2.line), "waypred",
	     "must be 0 unless l2.ways is 2 and L2 has no sub-blocks");
	rule(f, (m->waypred != 0) == (m->l2.repl == REPL_WAYPRED), "l2.repl",
	     "must be waypred if, and only if, waypred is not 0");
	rule(f, !m->wmerge || !m->d1.writeback, "wmerge",
	     "must be 0 unless d1.write is through");
	rule(f, m->wmerge != 1 && m->wmerge <= m->l2.sub, "wmerge",
	     "must be 0, or from 2 to what L2 fills at once");
}

static void check_tlb(struct faults *f, const struct mtlb *t, const char *ways)
{
	rule(f,
	     !t->ways || (t->entries % t->ways == 0 && (is_power(t->entries / t->ways))),
	     ways, "the number of sets (entries / ways) is not a power of two");
}

static void check_pages(struct faults *f, const struct machine *m)
{
	rule(f, m->itlb1.page <= m->itlb.page, "itlb1.page",
	     "must not be larger than itlb.page");
	rule(f, m->dtlb1.page <= m->dtlb.page, "dtlb1.page",
	     "must not be larger than dtlb.page");
}

static void check_predictors(struct faults *f, const struct machine *m)
{
	rule(f, !machine_has(m, PART_GSHARE) || m->bp_entries >> m->bp_hist, "bp.hist",
	     "must be at most the number of bits that index bp.entries");
}

static void check_penalties(struct faults *f, const struct machine *m)
{
	rule(f, m->npenalties >= 1 && m->npenalties <= SIM_NCOUNTERS, "penalty",
	     "the machine needs a line 'penalty'");
	for (unsigned i = 0; i < m->npenalties && i < SIM_NCOUNTERS; i++) {
		const struct penalty *p = &m->penalty[i];

		rule(f,
		     (unsigned)p->counter < SIM_NCOUNTERS &&
			     (unsigned)p->group < COST_NGROUPS && p->cycles >= 0,
		     "penalty", "is not a counter, cycles and a group");
	}
}

static void check_timing(struct faults *f, const struct machine *m)
{
	rule(f, !m->simd || m->simd >= 8, "simd", "must be 0, or from 8 to 64");
	for (unsigned i = 0; i < MOP_NOPS; i++) {
		const struct timing *t = &m->timing[i];

		rule(f,
		     t->latency <= MACHINE_CYCLES && t->repeat >= 1 &&
			     t->repeat <= MACHINE_CYCLES && t->units &&
			     t->units < UINT32_C(1) << MACHINE_UNITS,
		     "timing", "is not a latency, a repeat rate and units");
	}
}

static void check_ranges(struct faults *f, const struct machine *m)
{
	for (const struct machine_key *k = machine_keys; k->name; k++) {
		const uint32_t value = machine_get(m, k);

		rule(f, machine_has(m, k->part) ? machine_key_allows(k, value) : !value,
		     k->name, NULL);
	}
}

unsigned machine_check(const struct machine *m, void *arg,
		       void (*fault)(void *arg, const char *key, const char *text))
{
	struct faults f = {arg, fault, 0};

	rule(&f, m->name[0] && !m->name[MACHINE_NAME - 1], "machine", "needs a name");
	rule(&f, m->title[0] && !m->title[MACHINE_TITLE - 1], "machine", "needs a title");
	check_ranges(&f, m);
	/* The rules divide by what the ranges do not allow to be 0. */
	if (f.n)
		return f.n;
	check_caches(&f, m);
	check_levels(&f, m);
	check_tlb(&f, &m->itlb1, "itlb1.ways");
	check_tlb(&f, &m->dtlb1, "dtlb1.ways");
	check_tlb(&f, &m->itlb, "itlb.ways");
	check_tlb(&f, &m->dtlb, "dtlb.ways");
	check_pages(&f, m);
	check_predictors(&f, m);
	check_timing(&f, m);
	check_penalties(&f, m);
	return f.n;
}
