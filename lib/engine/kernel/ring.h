/*
 * Records that the kernel writes into a ring of bytes (perf_event_open(2), "MMAP
 * layout"), decoded. Pure functions.
 */
#ifndef ENGINE_KERNEL_RING_H
#define ENGINE_KERNEL_RING_H

#include <stdint.h>

#include "engine/engine.h"

/* A ring, and what is known of it. */
struct kernel_ring {
	const unsigned char *data;
	uint64_t size; /* bytes, a power of 2 */
	uint64_t tail; /* bytes taken so far */
	uint64_t what; /* the event's sample_type: bits of kernel_ring_what() */
	uint64_t lost; /* records that were said to be lost */
	uint64_t throttled, broken;
};

/* The sample_type that gives these items (bit n: item n). */
uint64_t kernel_ring_what(uint64_t items);

/* Bytes of a record with these items. */
unsigned kernel_ring_record(uint64_t items);

/*
 * Decode up to max records of what was written up to head, ENGINE_NITEMS words each;
 * returns how many. What makes no sense ends it: the rest is skipped, and counted as one
 * more that is broken. Async-signal-safe.
 */
unsigned kernel_ring_take(struct kernel_ring *r, uint64_t head, uint64_t *rec,
			  unsigned max);

#endif
