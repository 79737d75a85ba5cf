/*
 * Compares the processor model with the reference on random programs: on the real
 * machines, on small ones, whose caches and tables overflow all the time, and on machines
 * of any shape that a user's file can have.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "machines.h"
#include "pair.h"

#ifdef __SANITIZE_ADDRESS__
#define SLOW 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SLOW 1
#endif
#endif

#ifdef SLOW
enum { OPS = 40000 };
#else
enum { OPS = 100000 };
#endif

enum { RUNS = 108, OWN_RUNS = 108, CHUNK = 997, STREAMS = 4 };

/* SplitMix64: the same numbers everywhere. */
static uint64_t next(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static unsigned below(uint64_t *state, unsigned n)
{
	return (unsigned)(next(state) % n);
}

/* A random program: state determines all its operations. */
struct program {
	uint64_t state;
	struct machine m;
	unsigned ncpus, parts;
	unsigned switches; /* a CPU switch once in this many operations */
	unsigned stores;   /* per cent of all loads and stores */
	uint64_t base, stream[STREAMS], ras[8];
	unsigned depth;
	char last[128]; /* text of the last operation */
};

static void shrink_cache(struct mcache *c, unsigned by)
{
	while (by > 1 && c->size / c->line / c->ways > 1) {
		c->size /= 2;
		by /= 2;
	}
}

static void shrink_tlb(struct mtlb *t, unsigned by)
{
	while (by > 1 && t->entries > 2 * t->ways && t->entries > 2) {
		t->entries /= 2;
		by /= 2;
	}
}

/*
 * Divides the sets of caches and the entries of tables by a factor; those of L1 only
 * with_l1, as the model has special paths for some shapes of L1.
 */
static void shrink(struct machine *m, unsigned by, int with_l1)
{
	if (with_l1) {
		shrink_cache(&m->i1, by / 2);
		shrink_cache(&m->d1, by / 2);
	}
	shrink_cache(&m->l2, by * 8);
	if (m->l3.size)
		shrink_cache(&m->l3, by * 32);
	shrink_tlb(&m->itlb1, by);
	shrink_tlb(&m->dtlb1, by);
	shrink_tlb(&m->itlb, by);
	shrink_tlb(&m->dtlb, by);
	m->waypred = m->waypred ? m->waypred / by / 16 + !(m->waypred / by / 16) : 0;
	m->bp_entries /= by;
	while (m->bp_entries >> m->bp_hist == 0)
		m->bp_hist--;
	m->ind /= by > 16 ? 16 : by;
}

/* A random value, which need not suit the machine. */
static uint32_t random_value(const struct machine *m, const struct machine_key *k,
			     uint64_t *s)
{
	static const unsigned ways[] = {0, 1, 2, 2, 3, 4, 5, 8, 11, 12, 16, 64};
	const char *name = strchr(k->name, '.') ? strchr(k->name, '.') : k->name;
	const struct mcache *c = strncmp(k->name, "l2", 2) == 0	  ? &m->l2
				 : strncmp(k->name, "l3", 2) == 0 ? &m->l3
				 : strncmp(k->name, "i1", 2) == 0 ? &m->i1
								  : &m->d1;

	if (k->words)
		return k->min + below(s, k->max - k->min + 1);
	if (strcmp(name, ".ways") == 0)
		return ways[below(s, sizeof ways / sizeof ways[0])];
	if (strcmp(name, ".size") == 0)
		return (c->line * c->ways << below(s, 7)) *
		       (below(s, 2) ? 1 : below(s, 8));
	if (strcmp(name, ".entries") == 0)
		return ways[below(s, 12)] << below(s, 6);
	if (strcmp(name, ".page") == 0)
		return 4096u << below(s, 4);
	return k->power ? (1u << below(s, 10)) & ~1u : below(s, 16);
}

/* Make absent parts absent, and give new parts what they lack. */
static void complete_parts(struct machine *m)
{
	const struct mcache none = {0};
	const struct mtlb no_tlb = {.repl = 0};

	if (!m->l3.size)
		m->l3 = none;
	else if (!m->l3.ways)
		m->l3.line = m->l2.line, m->l3.ways = 4;
	if (m->joint)
		m->itlb1 = m->dtlb1 = m->itlb = no_tlb;
	else if (!m->itlb.entries)
		m->itlb = m->dtlb;
	if (!m->itlb1.entries)
		m->itlb1 = no_tlb;
	else if (!m->itlb1.page)
		m->itlb1.page = 4096;
	if (!m->dtlb1.entries)
		m->dtlb1 = no_tlb;
	else if (!m->dtlb1.page)
		m->dtlb1.page = 4096;
	if (m->bp != BP_GSHARE)
		m->bp_hist = m->bp_fold = 0;
	else if (!m->bp_hist)
		m->bp_hist = 1;
	machine_complete(m);
}

static void count_fault(void *arg, const char *key, const char *text)
{
	(void)key;
	(void)text;
	++*(unsigned *)arg;
}

/* Change the machine by the rules of machine_check(), as a user's file can. */
static void change_machine(struct machine *m, uint64_t *s)
{
	unsigned nkeys = 0;

	while (machine_keys[nkeys].name)
		nkeys++;
	for (unsigned i = 0; i < 400; i++) {
		struct machine changed = *m;
		unsigned faults = 0;

		for (unsigned k = below(s, 3) + 1; k; k--) {
			const struct machine_key *key = &machine_keys[below(s, nkeys)];

			machine_put(&changed, key, random_value(&changed, key, s));
		}
		complete_parts(&changed);
		machine_check(&changed, &faults, count_fault);
		/* The reference has limits of its own, and no time for large caches. */
		if (!faults && changed.ras <= REF_RAS && changed.ind <= REF_IND &&
		    changed.l2.size <= 1 << 20 && changed.l3.size <= 1 << 22)
			*m = changed;
	}
}

static void program_start(struct program *g, unsigned seed)
{
	static const unsigned by[] = {1, 8, 64}, often[] = {4, 40, 2000};
	unsigned nmachines = 0;

	memset(g, 0, sizeof(*g));
	while (machines_at(nmachines))
		nmachines++;
	g->state = seed;
	g->m = *machines_at(seed % nmachines);
	if (by[seed / nmachines % 3] > 1)
		shrink(&g->m, by[seed / nmachines % 3], (int)below(&g->state, 2));
	if (seed >= RUNS)
		change_machine(&g->m, &g->state);
	g->ncpus = 1 + seed / nmachines / 3 % REF_CPUS;
	g->switches = often[below(&g->state, 3)];
	g->stores = 5 + below(&g->state, 60);
	g->parts = below(&g->state, 4) ? PAIR_ALL : 1u << below(&g->state, 4);
	g->base = below(&g->state, 2) ? 0x400000 : UINT64_C(0x7ffd12340000);
	for (unsigned i = 0; i < STREAMS; i++)
		g->stream[i] = g->base + below(&g->state, 1u << 24);
}

static uint64_t way_size(const struct mcache *c)
{
	return c->size ? c->size / c->ways : 4096;
}

/* Returns an address; together the addresses have every kind of locality. */
static uint64_t address(struct program *g)
{
	uint64_t *s = &g->state;
	uint64_t *stream = &g->stream[below(s, STREAMS)];

	switch (below(s, 10)) {
	case 0:
	case 1:
		return *stream += below(s, 24);
	case 2:
	case 3:
		return g->base + below(s, 2048);
	case 4: /* few sets of L1D */
		return g->base + below(s, 8) * way_size(&g->m.d1) + below(s, 256);
	case 5: /* few sets of L1I */
		return g->base + below(s, 8) * way_size(&g->m.i1) + below(s, 256);
	case 6: /* few sets of L2 */
		return g->base + below(s, g->m.l2.ways * 2 + 2) * way_size(&g->m.l2) +
		       below(s, 1024);
	case 7: /* few sets of L3 */
		return g->base + below(s, g->m.l3.ways * 2 + 2) * way_size(&g->m.l3) +
		       below(s, 1024);
	case 8: /* many pages */
		return g->base + (uint64_t)below(s, 400) * g->m.dtlb.page + below(s, 64);
	default:
		return g->base + below(s, 1u << 22);
	}
}

static unsigned random_size(uint64_t *state)
{
	const unsigned kind = below(state, 64);

	if (kind == 0)
		return 1 + below(state, 4096);
	if (kind < 8)
		return 1 + below(state, 64);
	return 1u << below(state, 6);
}

static void do_access(struct program *g, struct pair *p)
{
	const uint64_t addr = address(g);
	const unsigned size = random_size(&g->state);

	if (below(&g->state, 16) == 0) {
		const unsigned w = below(&g->state, 2);

		snprintf(g->last, sizeof(g->last), "prefetch%s %#llx", w ? "w" : "",
			 (unsigned long long)addr);
		pair_prefetch(p, addr, (int)w);
		return;
	}
	static const char *const name[] = {"load", "store", "modify"};
	const int store = below(&g->state, 100) < g->stores;
	const int modify = below(&g->state, 8) == 0;

	snprintf(g->last, sizeof(g->last), "%s %#llx %u", name[modify ? 2 : store],
		 (unsigned long long)addr, size);
	if (modify)
		pair_modify(p, addr, size);
	else if (store)
		pair_store(p, addr, size);
	else
		pair_load(p, addr, size);
}

static void do_return(struct program *g, struct pair *p)
{
	uint64_t target = g->ras[--g->depth % 8];

	if (below(&g->state, 16) == 0)
		target++;
	snprintf(g->last, sizeof(g->last), "return %#llx", (unsigned long long)target);
	pair_return(p, target);
}

static void do_branch(struct program *g, struct pair *p)
{
	uint64_t *s = &g->state;
	const uint64_t pc = g->base + below(s, 64) * 7 + below(s, 4) * 65536;
	const uint64_t target = g->base + below(s, 3);

	snprintf(g->last, sizeof(g->last), "branch at %#llx", (unsigned long long)pc);
	switch (below(s, 8)) {
	case 0:
		pair_indirect(p, pc, target);
		break;
	case 1:
		g->ras[g->depth++ % 8] = pc;
		pair_call(p, pc);
		break;
	case 2:
		if (g->depth)
			do_return(g, p);
		break;
	default: /* often or seldom taken, by pc */
		pair_cond(p, pc, below(s, 8) < (pc & 7));
	}
}

static void do_one(struct program *g, struct pair *p)
{
	p->fast = below(&g->state, 4) != 0;
	if (g->ncpus > 1 && below(&g->state, g->switches) == 0) {
		const unsigned cpu = below(&g->state, g->ncpus);

		snprintf(g->last, sizeof(g->last), "cpu %u", cpu);
		assert_int_equal(pair_switch_cpu(p, cpu), 0);
		return;
	}
	switch (below(&g->state, 8)) {
	case 0:
	case 1: {
		const uint64_t addr = address(g);

		snprintf(g->last, sizeof(g->last), "fetch %#llx",
			 (unsigned long long)addr);
		pair_fetch(p, addr);
		break;
	}
	case 2:
		do_branch(g, p);
		break;
	default:
		do_access(g, p);
	}
}

/* Compares all counters, also those of external effects, which are added to sum. */
static unsigned compare(struct program *g, struct pair *p, uint64_t *sum, char *text,
			size_t size)
{
	unsigned n = pair_difference(p->got, p->want, text, size);

	for (unsigned cpu = 0; !n && cpu < g->ncpus; cpu++) {
		uint64_t got[SIM_NCOUNTERS] = {0}, want[SIM_NCOUNTERS] = {0};

		sim_collect_external(&p->model, cpu, got);
		ref_take_external(&p->ref, cpu, want);
		n = pair_difference(got, want, text, size);
		for (unsigned i = 0; i < SIM_NCOUNTERS; i++)
			sum[i] += want[i];
	}
	return n;
}

/*
 * Runs the program of a seed, with a comparison after every so many operations. Returns
 * the number of the operation after which counters differed (text lists them), or 0.
 */
static unsigned run(struct program *g, unsigned seed, unsigned every, uint64_t *sum,
		    char *text, size_t size)
{
	static struct pair p;
	unsigned differs = 0;

	program_start(g, seed);
	assert_int_equal(pair_open(&p, &g->m, g->parts), 0);
	for (unsigned op = 1; op <= OPS && !differs; op++) {
		do_one(g, &p);
		if ((op % every == 0 || op == OPS) && compare(g, &p, sum, text, size))
			differs = op;
		if (op == OPS / 2 && g->parts != PAIR_ALL)
			assert_int_equal(pair_enable(&p, PAIR_ALL), 0);
	}
	for (unsigned i = 0; i < SIM_NCOUNTERS; i++)
		sum[i] += p.want[i];
	pair_close(&p);
	return differs;
}

/* The programs must move every counter of the model; the caller counts i1_ref. */
static void check_sum(const uint64_t *sum)
{
	for (unsigned i = 0; i < SIM_NCOUNTERS; i++)
		if (sim_vocab[i].class == SIM_MODELLED && i != CTR_I1_REF && sum[i] < 100)
			fail_msg("%s: only %llu in all", sim_vocab[i].name,
				 (unsigned long long)sum[i]);
}

static void test_random_programs(void **state)
{
	static struct program g;
	uint64_t sum[SIM_NCOUNTERS] = {0};
	char text[2000];

	(void)state;
	for (unsigned seed = 0; seed < RUNS + OWN_RUNS; seed++) {
		if (!run(&g, seed, CHUNK, sum, text, sizeof(text)))
			continue;
		const unsigned op = run(&g, seed, 1, sum, text, sizeof(text));
		fail_msg("seed %u, %s, L2 %u, %u CPUs: operation %u, %s:%s", seed,
			 g.m.name, g.m.l2.size, g.ncpus, op, g.last, text);
	}
	check_sum(sum);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random_programs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
