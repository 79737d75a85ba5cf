/*
 * Made-up recordings, and symbols without files: a program /bin/one with the functions
 * alpha (0x1000) and beta (0x1100), and the variable table (0x8000); a library /lib/two
 * without symbols (0x2000); memory without name from 0xb000. Into a line of beta, gamma
 * (0x1180) and delta (0x11c0) are inlined.
 */
#ifndef TEST_MADE_H
#define TEST_MADE_H

#include <errno.h>
#include <stdint.h>
#include <string.h>

#include <lwp.h>
#include "base/bytes.h"
#include "lwp/recording.h"
#include "suite/profile/profile.h"
#include "symbols/symbols.h"

unsigned symbols_code(struct symbols *s, uint64_t ip, struct symbols_frame *frame,
		      unsigned max)
{
	(void)s;
	(void)max;
	if (ip >= 0x1000 && ip < 0x1100) {
		*frame = (struct symbols_frame){"alpha",
						ip - 0x1000,
						"/bin/one",
						"/src/one.c",
						10 + (unsigned)(ip - 0x1000) / 16,
						0,
						NULL};
		return 1;
	}
	if (ip >= 0x1100 && ip < 0x1180) {
		*frame = (struct symbols_frame){
			"beta", ip - 0x1100, "/bin/one", "/src/one.c", 40, 0, NULL};
		return 1;
	}
	if (ip >= 0x1180 && ip < 0x1200) {
		frame[0] = (struct symbols_frame){ip < 0x11c0 ? "gamma" : "delta",
						  ip - 0x1180,
						  "/bin/one",
						  "/src/gamma.h",
						  5,
						  1,
						  NULL};
		frame[1] = (struct symbols_frame){
			"beta", ip - 0x1100, "/bin/one", "/src/one.c", 44, 0, NULL};
		return 2;
	}
	*frame = (struct symbols_frame){NULL, ip, NULL, NULL, 0, 0, NULL};
	if (ip >= 0x2000 && ip < 0x3000) {
		frame->offset = ip - 0x2000;
		frame->module = "/lib/two";
	}
	return 1;
}

int symbols_data(struct symbols *s, uint64_t address, struct symbols_object *o)
{
	(void)s;
	if (address >= 0x8000 && address < 0x8100) {
		*o = (struct symbols_object){.name = "table",
					     .address = 0x8000,
					     .size = 0x100,
					     .module = "/bin/one"};
		return 0;
	}
	errno = ENOENT;
	return -1;
}

static struct recording_mapping made_mapping[] = {
	{.start = 0x1000, .end = 0x2000, .path = "/bin/one"},
	{.start = 0x2000, .end = 0x3000, .path = "/lib/two"},
	{.start = 0x8000, .end = 0x9000, .path = "/bin/one"},
	{.start = 0xb000, .end = 0xd000, .path = NULL},
};

static struct recording_thread made_thread[] = {{101, "main"}, {102, "helper"}};

enum { MADE_SLOTS = 64 };

/* The memory of a ring with its LWPCB. */
struct made_ring {
	uint8_t block[LWP_EVENT_OFFSET + 8 * LWP_MAX_EVENTS];
	uint8_t bytes[MADE_SLOTS * LWP_EVENT_SIZE];
};

/* Make a ring of n records, the first in slot first, and *ring, which refers to m. */
static inline void made_fill(struct made_ring *m, struct recording_ring *ring, pid_t tid,
			     unsigned first, const lwp_record_t *r, unsigned n)
{
	memset(m, 0, sizeof *m);
	for (unsigned i = 0; i < n; i++)
		lwp_record_encode(m->bytes + (first + i) % MADE_SLOTS * LWP_EVENT_SIZE,
				  &r[i]);
	bytes_put32(m->block + 4, sizeof m->bytes);
	bytes_put32(m->block + 16, (first + n) % MADE_SLOTS * LWP_EVENT_SIZE);
	bytes_put32(m->block + 64, first * LWP_EVENT_SIZE);
	*ring = (struct recording_ring){.tid = tid,
					.block = m->block,
					.block_size = sizeof m->block,
					.bytes = m->bytes,
					.size = sizeof m->bytes};
}

/* A recording without rings, events and counts. */
static inline struct recording made_recording(void)
{
	return (struct recording){
		.pid = 100,
		.command = "one --fast",
		.event_offset = LWP_EVENT_OFFSET,
		.event_size = LWP_EVENT_SIZE,
		.mapping = made_mapping,
		.nmapping = sizeof made_mapping / sizeof *made_mapping,
		.thread = made_thread,
		.nthread = sizeof made_thread / sizeof *made_thread,
	};
}

#endif
