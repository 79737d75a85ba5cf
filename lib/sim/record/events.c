/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/record/events.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_vki.h"

#include "sim/record/image.h"
#include "sim/record/store.h"

enum { MAX_THREADS = 16384, UNIT = 1024 /* of penalties: 1 / UNIT cycles */ };

/* An LWP, by its ThreadId, which the core uses again. */
struct lwp {
	struct records_chunk *ring; /* NULL: not begun */
	uint64_t left;
	int64_t misses_left;
};

struct events events;

static struct {
	const struct records_head *head;
	struct lwp lwp[MAX_THREADS];
	ThreadId tid; /* of the LWP that runs, or ran last; 0: none */
	unsigned cpu;
} running;

/* ---- Which events */

static uint64_t bit(enum sim_counter c)
{
	return UINT64_C(1) << c;
}

/* The counters that helpers count which are not called for an access. */
static uint64_t other_counters(void)
{
	return bit(CTR_LOAD) | bit(CTR_STORE) | bit(CTR_UNAL_LD) | bit(CTR_UNAL_ST) |
	       bit(CTR_SCHED16);
}

/* The counters of caches and TLBs. */
static uint64_t access_counters(void)
{
	return (bit(CTR_SCHED16) - 1) & ~((bit(CTR_I1_REF) << 1) - 1);
}

static void add_parts(struct events_parts *to, unsigned e, uint64_t counters)
{
	for (; counters && to->n < RECORDS_EVENTS; counters &= counters - 1)
		to->part[to->n++] = (struct events_part){
			(enum sim_counter)__builtin_ctzll(counters), e};
}

static void add_event(unsigned e)
{
	const struct records_event *const ev = &events.event[e];

	events.counters |= ev->counters;
	if (ev->kind < RECORDS_KINDS && ev->kind != RECORDS_COUNT)
		events.interval[ev->kind] = ev->interval;
	if (ev->kind == RECORDS_MISS) {
		events.miss = (int)e;
		return;
	}
	add_parts(&events.accesses, e, ev->counters & access_counters());
	add_parts(&events.all, e, ev->counters & (access_counters() | other_counters()));
}

void events_open(const HChar *path, struct sim *s, uint64_t (*insns)(void))
{
	running.head = store_open(path);
	if (!running.head)
		return;
	events.on = 1;
	events.miss = -1;
	events.sim = s;
	events.insns = insns;
	events.n = running.head->nevents;
	VG_(memcpy)(events.event, running.head->event, sizeof events.event);
	for (unsigned e = 0; e < events.n; e++)
		add_event(e);
	for (unsigned i = 0; i < s->m->npenalties; i++)
		events.penalty[s->m->penalty[i].counter] +=
			(uint64_t)(s->m->penalty[i].cycles * UNIT);
	image_open();
}

uint64_t *events_site(Addr pc)
{
	const uint64_t id = pc;

	return records_counts(store_entry(ENTRY_SITE, &id, sizeof id, events.n));
}

/* ---- LWPs */

/* Events that are not recorded are never due: nothing is subtracted. */
static int64_t interval(enum records_kind kind)
{
	return events.interval[kind] ? (int64_t)events.interval[kind] : INT64_C(1) << 31;
}

static void begin(struct lwp *l)
{
	l->ring = store_ring(VG_(gettid)());
	events_set_left(EVENTS_INSN, interval(RECORDS_INSN));
	events_set_left(EVENTS_BRANCH, interval(RECORDS_BRANCH));
	l->left = events.left;
	l->misses_left = interval(RECORDS_MISS);
}

static int has_records(void)
{
	for (unsigned k = 0; k < RECORDS_KINDS; k++)
		if (events.interval[k])
			return 1;
	return 0;
}

void events_start(ThreadId tid, unsigned cpu)
{
	struct lwp *const l = &running.lwp[tid];

	running.cpu = cpu;
	if (running.tid == tid && l->ring)
		return;
	if (running.tid) {
		running.lwp[running.tid].left = events.left;
		running.lwp[running.tid].misses_left = events.misses_left;
	}
	running.tid = tid;
	if (!l->ring && has_records())
		begin(l);
	events.left = l->left;
	events.misses_left = l->misses_left;
}

/* The name that the kernel shows; "" if it cannot be read. */
static void read_name(Int tid, char *name, UInt size)
{
	HChar path[64];
	Int n = 0;

	VG_(sprintf)(path, "/proc/self/task/%d/comm", tid);
	const SysRes r = VG_(open)(path, VKI_O_RDONLY, 0);
	if (!sr_isError(r)) {
		n = VG_(read)((Int)sr_Res(r), name, (Int)size - 1);
		VG_(close)((Int)sr_Res(r));
	}
	n = n > 0 && name[n - 1] == '\n' ? n - 1 : n;
	name[n > 0 ? n : 0] = '\0';
}

void events_end(ThreadId tid)
{
	struct lwp *const l = &running.lwp[tid];

	if (l->ring) {
		read_name(l->ring->tid, l->ring->name, sizeof l->ring->name);
		store_end_ring(l->ring);
	}
	VG_(memset)(l, 0, sizeof *l);
	if (running.tid == tid)
		running.tid = 0;
}

void events_forked(ThreadId tid)
{
	for (unsigned i = 0; i < MAX_THREADS; i++) {
		if (running.lwp[i].ring)
			store_end_ring(running.lwp[i].ring);
		VG_(memset)(&running.lwp[i], 0, sizeof running.lwp[i]);
	}
	running.tid = 0;
	store_forked();
	image_forked();
	events_start(tid, running.cpu);
}

/* ---- Records */

void events_put(struct records_record r)
{
	struct records_chunk *const ring = running.lwp[running.tid].ring;

	if (!ring)
		return;
	if (ring->used >= running.head->room) {
		ring->missed++;
		return;
	}
	store_populate(ring);
	r.cpu = (uint8_t)running.cpu;
	r.insns = events.insns();
	((struct records_record *)(ring + 1))[ring->used] = r;
	__atomic_store_n(&ring->used, ring->used + 1, __ATOMIC_RELEASE);
}

/* ---- Misses */

/* Interventions in all CPUs so far: a line that only another CPU has comes from there. */
static uint64_t transfers(const struct sim *s)
{
	uint64_t n = 0;

	if (s->ncpus > 1)
		for (unsigned i = 0; i < s->ncpus; i++)
			n += s->cpus[i] ? s->cpus[i]->external[CTR_EXT_ITV] : 0;
	return n;
}

/* Returns the first address of an access whose line L1D does not have, or else addr. */
static Addr first_absent(struct sim *s, Addr addr, UWord size)
{
	const Addr end = addr + size - 1;

	for (Addr a = addr; a <= end && (addr ^ end) & ~s->d1.line;
	     a = (a | s->d1.line) + 1) {
		uint64_t *const set = cache_set(&s->d1, s->cpu->d1, a);
		const Addr last = (a | s->d1.line) < end ? a | s->d1.line : end;
		const uint64_t *const at = cache_find(&s->d1, set, a, s->d1.ways);

		if (!at || (cache_subs(&s->d1, a, last) & ~*at))
			return a;
	}
	return addr;
}

static void before_misses(struct events_before *b, Addr data, UWord size)
{
	struct sim *const s = events.sim;
	const uint64_t *const count = s->count;

	b->loads = count[CTR_D1_RD_MISS] + s->fills;
	b->stores = count[CTR_D1_WR_MISS];
	b->prefetches = count[CTR_D1_PF_MISS];
	b->l2 = count[CTR_L2_RD_MISS] + count[CTR_L2_WR_MISS];
	b->l3 = count[CTR_L3_RD_MISS] + count[CTR_L3_WR_MISS];
	b->transfers = transfers(s);
	b->data = first_absent(s, data, size);
}

void events_before(struct events_before *b, const struct events_parts *parts, Addr data,
		   UWord size)
{
	if (parts->n)
		sim_settle(events.sim);
	for (unsigned i = 0; i < parts->n; i++)
		b->part[i] = events.sim->count[parts->part[i].counter];
	if (events.miss >= 0)
		before_misses(b, data, size);
}

/* Returns the cycles of a miss of L1D (counter d1) that goes as far as flags say. */
static uint32_t latency(enum sim_counter d1, unsigned flags)
{
	const int writes = d1 == CTR_D1_WR_MISS;
	uint64_t sum = events.penalty[d1];

	if (flags)
		sum += events.penalty[writes ? CTR_L2_WR_MISS : CTR_L2_RD_MISS];
	if ((flags & RECORD_MEMORY) && events.sim->l3.ways)
		sum += events.penalty[writes ? CTR_L3_WR_MISS : CTR_L3_RD_MISS];
	return (uint32_t)((sum + UNIT / 2) / UNIT);
}

void events_miss_due(const uint64_t *misses, Addr data, enum sim_counter d1,
		     unsigned flags)
{
	events.misses_left = interval(RECORDS_MISS);
	if (!events.interval[RECORDS_MISS])
		return;
	events_put((struct records_record){.kind = RECORDS_MISS,
					   .pc = misses[-1 - events.miss],
					   .data = data,
					   .flags = (uint8_t)flags,
					   .latency = latency(d1, flags)});
}

/* The first of several misses of an access are those that went furthest. */
static void add_misses(const struct events_before *b, uint64_t *site, uint64_t n,
		       enum sim_counter d1)
{
	const struct sim *const s = events.sim;
	const uint64_t *const count = s->count;
	const uint64_t l2 = count[CTR_L2_RD_MISS] + count[CTR_L2_WR_MISS] - b->l2;
	const uint64_t l3 = count[CTR_L3_RD_MISS] + count[CTR_L3_WR_MISS] - b->l3;
	const unsigned beyond = transfers(s) != b->transfers ? RECORD_REMOTE
				: s->l3.ways && !l3	     ? RECORD_L3
							     : RECORD_MEMORY;
	Addr data = b->data;

	for (uint64_t i = 0; i < n; i++) {
		events_miss(&site[events.miss], data, d1, i < l2 ? beyond : 0, 1);
		data = (data | s->d1.line) + 1;
	}
}

void events_after(const struct events_before *b, const struct events_parts *parts,
		  uint64_t *site)
{
	const struct sim *const s = events.sim;

	if (events.miss >= 0) {
		const uint64_t loads = s->count[CTR_D1_RD_MISS] + s->fills - b->loads;
		const uint64_t stores = s->count[CTR_D1_WR_MISS] - b->stores;
		const uint64_t prefetches = s->count[CTR_D1_PF_MISS] - b->prefetches;

		if (loads)
			add_misses(b, site, loads, CTR_D1_RD_MISS);
		if (stores)
			add_misses(b, site, stores, CTR_D1_WR_MISS);
		if (prefetches)
			add_misses(b, site, prefetches, CTR_D1_PF_MISS);
	}
	if (parts->n)
		sim_settle(events.sim);
	for (unsigned i = 0; i < parts->n; i++)
		site[parts->part[i].event] +=
			s->count[parts->part[i].counter] - b->part[i];
}
