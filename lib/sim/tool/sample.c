/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/tool/sample.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vki.h"

#include "sim/tool/model.h"

struct sample {
	ThreadId tid; /* owner; 0: unused */
	enum sim_counter counter;
	int paused;
	uint64_t period;
	uint64_t left; /* value of tool.count[counter] that completes the period */
	uint64_t lost;
	unsigned first, n; /* of the ring: index of the oldest record, records */
	struct sim_record *ring;
};

/* The id of a sample is its index + 1. */
static struct {
	struct sample sample[SIM_SAMPLES];
	ThreadId running;
} samples;

/* Counters of reads, and of writes: a record of these has the operand's address. */
static const uint64_t read_counters =
	1ULL << CTR_LOAD | 1ULL << CTR_UNAL_LD | 1ULL << CTR_PREFETCH |
	1ULL << CTR_D1_RD | 1ULL << CTR_D1_RD_MISS | 1ULL << CTR_D1_PF_MISS |
	1ULL << CTR_L2_RD_REF | 1ULL << CTR_L2_RD_MISS | 1ULL << CTR_L3_RD_MISS |
	1ULL << CTR_DTLB1_MISS | 1ULL << CTR_DTLB_MISS | 1ULL << CTR_WAY_MISS_D;
static const uint64_t write_counters =
	1ULL << CTR_STORE | 1ULL << CTR_SC | 1ULL << CTR_SC_FAIL | 1ULL << CTR_UNAL_ST |
	1ULL << CTR_D1_WR | 1ULL << CTR_D1_WR_MISS | 1ULL << CTR_D1_UPG |
	1ULL << CTR_L2_WR_REF | 1ULL << CTR_L2_WR_MISS | 1ULL << CTR_L3_WR_MISS |
	1ULL << CTR_ST_EXCL_CLEAN | 1ULL << CTR_ST_EXCL_SHARED;

static struct sample *find(ThreadId tid, UWord id)
{
	if (id < 1 || id > SIM_SAMPLES || samples.sample[id - 1].tid != tid)
		return NULL;
	return &samples.sample[id - 1];
}

UWord sample_open(ThreadId tid, UWord counter, uint64_t period)
{
	UWord i = 0;

	while (i < SIM_SAMPLES && samples.sample[i].tid)
		i++;
	if (i == SIM_SAMPLES || counter >= SIM_NCOUNTERS || !period ||
	    model_request(1ULL << counter))
		return 0;
	samples.sample[i] = (struct sample){
		.tid = tid,
		.counter = counter,
		.period = period,
		.left = period,
		.ring = VG_(malloc)("cpc.sample",
				    SIM_RECORDS * sizeof(struct sim_record)),
	};
	tool.sampling++;
	tool_retranslate();
	return i + 1;
}

static void close_sample(struct sample *s)
{
	VG_(free)(s->ring);
	VG_(memset)(s, 0, sizeof *s);
	if (!--tool.sampling)
		tool_retranslate();
}

UWord sample_close(ThreadId tid, UWord id)
{
	struct sample *const s = find(tid, id);

	if (!s)
		return 0;
	close_sample(s);
	return 1;
}

UWord sample_read(ThreadId tid, UWord id, struct sim_record *buf, UWord max)
{
	struct sample *const s = find(tid, id);
	UWord n;

	if (!s)
		return 0;
	for (n = 0; n < max && s->n; n++, s->n--) {
		buf[n] = s->ring[s->first];
		s->first = (s->first + 1) % SIM_RECORDS;
	}
	return n + 1;
}

UWord sample_lost(ThreadId tid, UWord id)
{
	const struct sample *const s = find(tid, id);

	return s ? s->lost + 1 : 0;
}

UWord sample_period(ThreadId tid, UWord id, uint64_t period)
{
	struct sample *const s = find(tid, id);

	if (!s || !period)
		return 0;
	s->period = s->left = period;
	return 1;
}

UWord sample_pause(ThreadId tid, UWord id, int pause)
{
	struct sample *const s = find(tid, id);

	if (!s)
		return 0;
	s->paused = pause;
	return 1;
}

static uint64_t now(void)
{
	struct vki_timespec t;

	VG_(clock_gettime)(&t, VKI_CLOCK_MONOTONIC);
	return (uint64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void record(struct sample *s, Addr pc, Addr read, Addr written)
{
	const Addr ea = read_counters >> s->counter & 1	   ? (read ? read : written)
			: write_counters >> s->counter & 1 ? (written ? written : read)
							   : 0;

	if (s->n == SIM_RECORDS) {
		s->lost++;
		return;
	}
	s->ring[(s->first + s->n++) % SIM_RECORDS] = (struct sim_record){
		.pc = pc,
		.tid = VG_(gettid)(),
		.ns = now(),
		.ea = ea,
		.period = s->period,
	};
}

/* After the instruction at pc; read, written: addresses of its operands, or 0. */
static VG_REGPARM(3) void check_samples(Addr pc, Addr read, Addr written)
{
	tool_settle(samples.running);
	model_settle();
	for (unsigned i = 0; i < SIM_SAMPLES; i++) {
		struct sample *const s = &samples.sample[i];

		if (s->tid != samples.running || s->paused)
			continue;
		for (; tool.count[s->counter] >= s->left; s->left += s->period)
			record(s, pc, read, written);
	}
}

void sample_emit(struct block *b)
{
	IRExpr *const none = emit_const(0);

	emit_call(b, 3, "after", check_samples,
		  mkIRExprVec_3(emit_const(b->pc), b->read ? b->read : none,
				b->written ? b->written : none),
		  NULL);
}

void sample_start(ThreadId tid)
{
	samples.running = tid;
}

void sample_stop(ThreadId tid)
{
	if (!tool.sampling)
		return;
	for (unsigned i = 0; i < SIM_SAMPLES; i++) {
		struct sample *const s = &samples.sample[i];

		if (s->tid == tid && !s->paused)
			s->left -= tool.count[s->counter];
	}
}

void sample_end(ThreadId tid)
{
	for (unsigned i = 0; i < SIM_SAMPLES; i++)
		if (samples.sample[i].tid == tid)
			close_sample(&samples.sample[i]);
}

void sample_forked(void)
{
	for (unsigned i = 0; i < SIM_SAMPLES; i++)
		if (samples.sample[i].tid)
			close_sample(&samples.sample[i]);
}
