/*
 * Decodes the records that the kernel writes into a ring buffer (perf_event_open(2),
 * "MMAP layout"). Pure functions.
 */
#ifndef ENGINE_RING_RING_H
#define ENGINE_RING_RING_H

#include <stdint.h>

#include "engine/engine.h"

struct kernel_ring {
	const unsigned char *data; /* the caller owns the mapping */
	uint64_t size;		   /* bytes, a power of 2 */
	uint64_t tail;		   /* bytes read so far */
	uint64_t sample_type;	   /* the event's, from kernel_ring_sample_type() */
	uint64_t lost;		   /* samples that the kernel reported as lost */
	uint64_t throttled;	   /* pauses that the kernel made */
	uint64_t broken;	   /* records that could not be decoded */
};

/* Returns the sample_type (PERF_SAMPLE_*) for a set of items (bit n: item n). */
uint64_t kernel_ring_sample_type(uint64_t items);

/* Returns the bytes of a record with these items. */
unsigned kernel_ring_record_size(uint64_t items);

/*
 * Copy the next record before head into record, of which max bytes (at least 8) have
 * room, and go past it. Records of lost samples and of pauses count in *r. Bytes that are
 * no record are skipped up to head and count as one broken record. Returns how many bytes
 * were copied; 0 if none is left. Async-signal-safe.
 */
unsigned kernel_ring_next(struct kernel_ring *r, uint64_t head, unsigned char *record,
			  unsigned max);

/*
 * Decode up to max samples of the bytes before head into rec, ENGINE_NITEMS words each.
 * Returns how many. Bytes that are no record are skipped up to head and count as one
 * broken record. Async-signal-safe.
 */
unsigned kernel_ring_read(struct kernel_ring *r, uint64_t head, uint64_t *rec,
			  unsigned max);

#endif
