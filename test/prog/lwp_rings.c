/*
 * lwp_rings MODE [ARGUMENT]: rings of LWP whose records follow from their numbers alone.
 *
 * recording [SIZE]: write a recording of three rings to standard output, with records of
 *   SIZE bytes (32): of all events, wrapped, with a missed event; empty; cut short.
 * states: write a recording of two threads whose LWPCBs are not in it. The first thread
 *   has LWP's state, with a record that is not stored yet; the second has nothing.
 * self: write a recording of this process, with records of main() and write_self().
 * raw N, block N: write a ring with N records, and its LWPCB.
 * live N: make a ring of N slots in memory, print "ready PID LWPCB", and obey lines of
 *   standard input: "store N", "read N", "abort", until its end; each is answered.
 */
#include <err.h>
#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <lwp.h>
#include "base/bytes.h"
#include "lwp/recording.h"

enum { BLOCK = LWP_EVENT_OFFSET + 8 * LWP_MAX_EVENTS };

/* The i-th record: the events take turns, and so do flags, sources and addresses. */
static lwp_record_t record(uint64_t i)
{
	static const uint8_t ids[] = {
		LWP_EVENT_VAL, LWP_EVENT_IRE, LWP_EVENT_BRE, LWP_EVENT_DME,
		LWP_EVENT_CNH, LWP_EVENT_RNH, LWP_EVENT_INS, 77};
	lwp_record_t r = {
		.id = ids[i % 8], .core = i / 8 % 4, .ip = 0x401000 + i * 37 % 4096};

	if (r.id == LWP_EVENT_VAL || r.id == LWP_EVENT_INS || r.id == 77) {
		r.flags = (uint16_t)(0xd000 + i);
		r.data1 = (uint32_t)(i * i);
		r.data2 = i << 32 | 5;
	} else if (r.id == LWP_EVENT_BRE) {
		r.flags = (uint16_t)(i / 8 << 12);
		r.data2 = 0x401000 + i * 11 % 4096;
	} else if (r.id == LWP_EVENT_DME) {
		r.flags = (uint16_t)(i / 8 << 13 | (i / 8 % 3 ? LWP_DME_DAV : 0));
		r.data1 = (uint32_t)(i * 16 % 1024);
		r.data2 = i / 8 % 3 ? 0x7f0000001000 + i * 64 : 0;
	}
	return r;
}

struct ring {
	uint8_t block[BLOCK] __attribute__((aligned(64)));
	uint8_t *bytes;
	size_t size;
	lwp_block_t fields;
	lwp_ring_t ring;
	lwp_features_t features;
};

static void encode(struct ring *r)
{
	r->fields.head = r->ring.head;
	r->fields.tail = r->ring.tail;
	r->fields.missed = r->ring.missed;
	if (lwp_block_encode(r->block, sizeof r->block, &r->fields, &r->features) == -1)
		err(1, "lwp_block_encode");
}

static void make(struct ring *r, uint32_t slots, uint32_t event_size, uint64_t base)
{
	*r = (struct ring){.size = (size_t)slots * event_size};
	r->bytes = calloc(slots, event_size);
	if (!r->bytes)
		err(1, "calloc");
	lwp_features_version1(&r->features);
	r->features.event_size = event_size;
	r->fields = (lwp_block_t){
		.flags = LWP_FLAG(LWP_EVENT_VAL) | LWP_FLAG(LWP_EVENT_BRE) |
			 LWP_FLAG(LWP_EVENT_DME),
		.buffer_size = (uint32_t)r->size,
		.buffer_base = base ? base : (uintptr_t)r->bytes,
		.events = LWP_MAX_EVENTS,
		.interval = {0, 99, 0, 999, 9999, 0, 0},
		.filters = LWP_FILTER_IPF,
		.base_ip = 0x401000,
		.limit_ip = 0x401fff,
	};
	if (lwp_ring_init(&r->ring, &r->fields, r->bytes, r->size, event_size) == -1)
		err(1, "lwp_ring_init");
	encode(r);
}

/* Store n records, from the i-th on. */
static void store(struct ring *r, uint64_t i, uint64_t n)
{
	for (; n; n--, i++) {
		const lwp_record_t one = record(i);

		/* Another process may read the ring. */
		r->ring.tail = bytes_get32(r->block + LWP_BLOCK_TAIL);
		if (lwp_ring_store(&r->ring, r->bytes, &one) == -1)
			err(1, "lwp_ring_store");
	}
	bytes_put64(r->block + LWP_BLOCK_MISSED, r->ring.missed);
	__atomic_store_n((uint32_t *)(r->block + LWP_BLOCK_HEAD), r->ring.head,
			 __ATOMIC_RELEASE);
}

static void give_back(struct ring *r, uint32_t n)
{
	if (lwp_ring_release(&r->ring, r->block, n) == -1)
		err(1, "lwp_ring_release");
}

static struct recording_ring describe(const struct ring *r, pid_t tid, uint64_t cb)
{
	return (struct recording_ring){
		.tid = tid,
		.cb = cb,
		.base = r->fields.buffer_base,
		.block = r->block,
		.block_size = sizeof r->block,
		.bytes = r->bytes,
		.size = r->size,
	};
}

static void write_recording(uint32_t event_size)
{
	static struct ring full, empty, cut;
	struct recording_thread thread[] = {{1000, "main"}, {1001, "worker, \"1\""}};
	struct recording_mapping mapping[] = {{.start = 0x401000,
					       .end = 0x402000,
					       .offset = 0x1000,
					       .path = "/no/prog"}};
	struct recording_event event[] = {
		{LWP_EVENT_VAL, "val", "emulated", 100, UINT64_MAX},
		{LWP_EVENT_DME, "dme", "simulated r10000", 10000, 12345678},
		{0, "instructions", "simulated r10000", 0, 99},
	};
	struct recording_count count[] = {{0x401010, 2, 99}};

	/* 32 slots of which 20 are given back, then more than they can take. */
	make(&full, 32, event_size, 0x7f0000100000);
	store(&full, 0, 31);
	give_back(&full, 20);
	store(&full, 31, 22);
	encode(&full);
	make(&empty, 64, event_size, 0x7f0000200000);
	make(&cut, 16, event_size, 0x7f0000300000);
	store(&cut, 100, 10);
	give_back(&cut, 6);
	store(&cut, 110, 9);
	encode(&cut);
	struct recording_ring ring[] = {describe(&full, 1000, 0x7f0000400000),
					describe(&empty, 1001, 0x7f0000400100),
					describe(&cut, 1001, 0)};
	ring[2].base = 0;
	ring[2].size = 12 * (size_t)event_size;
	const struct recording r = {
		.pid = 1000,
		.command = "./prog  -x",
		.program = "/no/prog",
		.unix_ns = 1700000000000000000,
		.event_offset = LWP_EVENT_OFFSET,
		.event_size = event_size,
		.mapping = mapping,
		.nmapping = 1,
		.thread = thread,
		.nthread = 2,
		.ring = ring,
		.nring = 3,
		.event = event,
		.nevent = 3,
		.count = count,
		.ncount = 1,
	};
	if (recording_write(STDOUT_FILENO, &r) == -1)
		err(1, "recording_write");
}

static void write_states(void)
{
	static struct ring r;
	uint8_t state[RECORDING_STATE_SIZE];
	struct recording_thread thread[] = {{1000, "main"}, {1001, "worker"}};

	make(&r, 32, LWP_EVENT_SIZE, 0x7f0000100000);
	store(&r, 0, 5);
	const lwp_state_t s = {.block = 0x7f0000400000,
			       .flags = r.fields.flags,
			       .head = r.ring.head,
			       .base = r.fields.buffer_base,
			       .size = r.fields.buffer_size,
			       .pending = record(5)};
	lwp_state_encode(state, &s);
	struct recording_ring ring[] = {describe(&r, 1000, s.block),
					{.tid = 1001, .cb = 0x7f0000400100}};
	ring[0].block_size = 0;
	ring[0].state = state;
	const struct recording recorded = {.pid = 1000,
					   .event_offset = LWP_EVENT_OFFSET,
					   .event_size = LWP_EVENT_SIZE,
					   .thread = thread,
					   .nthread = 2,
					   .ring = ring,
					   .nring = 2};
	if (recording_write(STDOUT_FILENO, &recorded) == -1)
		err(1, "recording_write");
}

static void write_ring(uint64_t n, int block)
{
	static struct ring r;

	make(&r, (uint32_t)n + 1, LWP_EVENT_SIZE, 0x7f0000100000);
	store(&r, 0, n);
	encode(&r);
	const void *p = block ? r.block : r.bytes;
	if (fwrite(p, block ? sizeof r.block : r.size, 1, stdout) != 1 || fflush(stdout))
		err(1, "fwrite");
}

int main(int argc, char **argv);

__attribute__((noinline)) static void write_self(void)
{
	static struct ring ring;
	struct recording r;
	lwp_record_t one = {.id = LWP_EVENT_VAL, .ip = (uintptr_t)main + 4, .data2 = 1};

	make(&ring, 32, LWP_EVENT_SIZE, 0);
	lwp_ring_store(&ring.ring, ring.bytes, &one);
	one.ip = (uintptr_t)write_self + 8;
	one.data2 = 2;
	lwp_ring_store(&ring.ring, ring.bytes, &one);
	encode(&ring);
	struct recording_ring described =
		describe(&ring, getpid(), (uintptr_t)ring.block);
	if (recording_of_process(&r, getpid()) == -1)
		err(1, "recording_of_process");
	r.ring = &described;
	r.nring = 1;
	if (recording_write(STDOUT_FILENO, &r) == -1)
		err(1, "recording_write");
	recording_free(&r);
}

static void live(uint32_t slots)
{
	static struct ring r;
	char line[64];
	uint64_t stored = 0, n;

	make(&r, slots, LWP_EVENT_SIZE, 0);
	printf("ready %d %#" PRIxPTR "\n", (int)getpid(), (uintptr_t)r.block);
	fflush(stdout);
	while (fgets(line, sizeof line, stdin)) {
		if (sscanf(line, "store %" SCNu64, &n) == 1) {
			store(&r, stored, n);
			stored += n;
		} else if (sscanf(line, "read %" SCNu64, &n) == 1) {
			give_back(&r, (uint32_t)n);
		} else if (strcmp(line, "abort\n") == 0) {
			abort();
		}
		printf("done %s", line);
		fflush(stdout);
	}
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";
	const uint64_t n = argc > 2 ? strtoull(argv[2], NULL, 0) : LWP_EVENT_SIZE;

	if (strcmp(mode, "recording") == 0)
		write_recording((uint32_t)n);
	else if (strcmp(mode, "states") == 0)
		write_states();
	else if (strcmp(mode, "self") == 0)
		write_self();
	else if (strcmp(mode, "raw") == 0)
		write_ring(n, 0);
	else if (strcmp(mode, "block") == 0)
		write_ring(n, 1);
	else if (strcmp(mode, "live") == 0)
		live((uint32_t)n);
	else
		errx(2, "usage: lwp_rings recording|states|self|raw|block|live [number]");
	return 0;
}
