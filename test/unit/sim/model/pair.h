/* A simulated machine and its reference model side by side: each call goes to both. */
#ifndef SIM_MODEL_PAIR_H
#define SIM_MODEL_PAIR_H

#include <stdio.h>

#include "reference.h"
#include "sim/model/model_fast.h"
#include "sim/model/model_state.h"
#include "sim/model/twoway.h"
#include "sim/shared/vocab.h"

enum { PAIR_ALL = SIM_CACHES | SIM_TLBS | SIM_BRANCHES | SIM_TARGETS };

struct pair {
	struct sim model;
	struct ref ref;
	uint64_t got[SIM_NCOUNTERS],
		want[SIM_NCOUNTERS]; /* of the model, of the reference */
	int fast;		     /* use hints and the fast paths of model_fast.h */
};

/* The model frees nothing: pair_close() frees these allocations. */
static struct {
	void *p[256];
	unsigned n;
} pair_memory;

static void *pair_alloc(size_t size)
{
	if (pair_memory.n == sizeof(pair_memory.p) / sizeof(*pair_memory.p))
		return NULL;
	void *p = calloc(1, size);
	if (p)
		pair_memory.p[pair_memory.n++] = p;
	return p;
}

/* The address of the last fetch of each CPU, and the CPU that runs. */
static struct {
	uint64_t addr[SIM_MAXCPUS];
	unsigned cpu;
} pair_last_fetch;

static uint64_t pair_fetched(void)
{
	return pair_last_fetch.addr[pair_last_fetch.cpu];
}

static inline int pair_open(struct pair *p, const struct machine *m, unsigned parts)
{
	memset(p, 0, sizeof(*p));
	ref_open(&p->ref, m, parts, p->want);
	memset(&pair_last_fetch, 0, sizeof(pair_last_fetch));
	return sim_open(&p->model, m, parts, p->got, pair_alloc, pair_fetched);
}

static inline void pair_close(struct pair *p)
{
	ref_close(&p->ref);
	while (pair_memory.n)
		free(pair_memory.p[--pair_memory.n]);
}

static inline int pair_switch_cpu(struct pair *p, unsigned cpu)
{
	p->ref.running = cpu;
	pair_last_fetch.cpu = cpu;
	return sim_switch_cpu(&p->model, cpu);
}

static inline int pair_enable(struct pair *p, unsigned parts)
{
	p->ref.parts |= parts;
	return sim_enable(&p->model, parts);
}

/* As generated code does with hints: see hint.h. */
static inline void pair_fetch_hinted(struct sim *s, uint64_t addr)
{
	if (twoway_i1_set(s, addr)[HINT_FETCH] != hint_key(&twoway_i1, addr))
		twoway_fetch(s, addr);
}

static inline void pair_load_hinted(struct sim *s, uint64_t addr, unsigned size)
{
	const uint64_t key = hint_key(&twoway_d1, addr + size - 1), fills = s->fills;
	uint64_t is_miss;

	if (twoway_d1_set(s, addr)[HINT_LOAD] == key)
		return;
	if (!twoway_load_usual(s, addr, size, &is_miss))
		twoway_load(s, addr, size);
	else
		assert_int_equal(is_miss, s->fills - fills);
}

static inline void pair_store_hinted(struct sim *s, uint64_t addr, unsigned size)
{
	const uint64_t key = hint_key(&twoway_d1, addr + size - 1);

	if (twoway_d1_set(s, addr)[HINT_STORE] != key)
		twoway_store(s, addr, size);
}

static inline void pair_modify_hinted(struct sim *s, uint64_t addr, unsigned size)
{
	const uint64_t key = hint_key(&twoway_d1, addr + size - 1);

	if (twoway_d1_set(s, addr)[HINT_STORE] != key)
		twoway_modify(s, addr, size);
}

/* Has generated code a comparison with hints for this size? */
static inline int pair_has_hint(const struct pair *p, unsigned size)
{
	return p->model.is_twoway && size <= 32;
}

static inline void pair_fetch(struct pair *p, uint64_t addr)
{
	ref_fetch(&p->ref, addr);
	pair_last_fetch.addr[pair_last_fetch.cpu] = addr;
	if (p->fast && p->model.is_twoway)
		pair_fetch_hinted(&p->model, addr);
	else if (p->fast)
		sim_fetch_fast(&p->model, addr);
	else
		sim_fetch(&p->model, addr);
}

static inline void pair_load(struct pair *p, uint64_t addr, unsigned size)
{
	ref_data(&p->ref, addr, size, 0);
	if (p->fast && pair_has_hint(p, size))
		pair_load_hinted(&p->model, addr, size);
	else if (p->fast)
		sim_load_fast(&p->model, addr, size);
	else
		sim_load(&p->model, addr, size);
	sim_settle(&p->model);
}

static inline void pair_store(struct pair *p, uint64_t addr, unsigned size)
{
	ref_data(&p->ref, addr, size, 1);
	if (p->fast && pair_has_hint(p, size))
		pair_store_hinted(&p->model, addr, size);
	else if (p->fast)
		sim_store_fast(&p->model, addr, size);
	else
		sim_store(&p->model, addr, size);
}

/* A load and a store of the same bytes. */
static inline void pair_modify(struct pair *p, uint64_t addr, unsigned size)
{
	if (!p->fast || !pair_has_hint(p, size)) {
		pair_load(p, addr, size);
		pair_store(p, addr, size);
		return;
	}
	ref_data(&p->ref, addr, size, 0);
	ref_data(&p->ref, addr, size, 1);
	pair_modify_hinted(&p->model, addr, size);
	sim_settle(&p->model);
}

static inline void pair_prefetch(struct pair *p, uint64_t addr, int for_writing)
{
	ref_prefetch(&p->ref, addr, for_writing);
	sim_prefetch(&p->model, addr, for_writing);
}

/* Predicts a branch as generated code does: see model_fast.h. */
static inline void pair_cond_inline(struct sim *s, uint64_t pc, unsigned taken)
{
	const struct machine *m = s->m;

	if (!s->bp)
		return;
	unsigned index = sim_bp_index(m, pc);
	if (m->bp == BP_GSHARE)
		index ^= (unsigned)s->history;
	const unsigned i = s->bp[index] / SIM_BP_SCALE * 2u + taken;
	s->bp[index] = (uint8_t)((SIM_BP_NEXT >> 2 * i & 3) * SIM_BP_SCALE);
	s->count[CTR_BR_MISP_TK] += SIM_BP_MISP_TK >> i & 1;
	s->count[CTR_BR_MISP_NT] += SIM_BP_MISP_NT >> i & 1;
	if (m->bp == BP_GSHARE)
		s->history = (s->history << 1 | taken) & sim_bp_history(m);
}

static inline void pair_cond(struct pair *p, uint64_t pc, unsigned taken)
{
	ref_cond(&p->ref, pc, (int)taken);
	if (p->fast)
		pair_cond_inline(&p->model, pc, taken);
	else
		sim_cond(&p->model, pc, (int)taken);
}

static inline void pair_indirect(struct pair *p, uint64_t pc, uint64_t target)
{
	ref_indirect(&p->ref, pc, target);
	sim_indirect(&p->model, pc, target);
}

static inline void pair_call(struct pair *p, uint64_t return_address)
{
	ref_call(&p->ref, return_address);
	sim_call(&p->model, return_address);
}

static inline void pair_return(struct pair *p, uint64_t target)
{
	ref_return(&p->ref, target);
	sim_return(&p->model, target);
}

/* Adds what other CPUs caused in this CPU to the counts. */
static inline void pair_collect_external(struct pair *p, unsigned cpu)
{
	ref_take_external(&p->ref, cpu, p->want);
	sim_collect_external(&p->model, cpu, p->got);
}

/* Lists in text the counters that differ. Returns how many. */
static inline unsigned pair_difference(const uint64_t *got, const uint64_t *want,
				       char *text, size_t size)
{
	unsigned n = 0;
	size_t len = 0;

	*text = '\0';
	for (unsigned i = 0; i < SIM_NCOUNTERS; i++) {
		if (got[i] == want[i])
			continue;
		n++;
		if (len < size)
			len += (size_t)snprintf(text + len, size - len,
						" %s %llu, not %llu", sim_vocab[i].name,
						(unsigned long long)got[i],
						(unsigned long long)want[i]);
	}
	return n;
}

#endif
