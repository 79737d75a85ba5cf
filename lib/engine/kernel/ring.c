#include "engine/kernel/ring.h"

#include <linux/perf_event.h>
#include <string.h>

enum { HEADER = 8, MAX_RECORD = HEADER + 8 * ENGINE_NITEMS };

/*
 * The words of a PERF_RECORD_SAMPLE in their order (perf_event_open(2)). An item is a
 * whole 64-bit word or one half of it.
 */
static const struct {
	uint64_t bit;
	enum engine_item item;
	enum { WHOLE, FIRST, SECOND } half;
} words[] = {
	{PERF_SAMPLE_IP, ITEM_PC, WHOLE},
	{PERF_SAMPLE_TID, ITEM_TID, SECOND}, /* the first half is the pid */
	{PERF_SAMPLE_TIME, ITEM_TIME, WHOLE},
	{PERF_SAMPLE_ADDR, ITEM_ADDR, WHOLE},
	{PERF_SAMPLE_CPU, ITEM_CPU, FIRST}, /* the second half is reserved */
	{PERF_SAMPLE_PERIOD, ITEM_PERIOD, WHOLE},
	{PERF_SAMPLE_WEIGHT, ITEM_LATENCY, WHOLE},
	{PERF_SAMPLE_DATA_SRC, ITEM_DATA_SRC, WHOLE},
};

enum { NWORDS = sizeof(words) / sizeof(words[0]) };

uint64_t kernel_ring_sample_type(uint64_t items)
{
	uint64_t type = 0;

	for (unsigned i = 0; i < NWORDS; i++)
		if (items >> words[i].item & 1)
			type |= words[i].bit;
	return type;
}

unsigned kernel_ring_record_size(uint64_t items)
{
	return HEADER +
	       8 * (unsigned)__builtin_popcountll(kernel_ring_sample_type(items));
}

/* Copy len bytes out of the ring; they may wrap around its end. */
static void copy(const struct kernel_ring *r, uint64_t from, void *to, unsigned len)
{
	const uint64_t at = from & (r->size - 1);
	const uint64_t first = r->size - at < len ? r->size - at : len;

	memcpy(to, r->data + at, first);
	memcpy((unsigned char *)to + first, r->data, len - first);
}

/* The kernel writes in the byte order of the machine. */
static uint64_t word(const unsigned char *from)
{
	uint64_t v;

	memcpy(&v, from, sizeof(v));
	return v;
}

static uint32_t half(const unsigned char *from)
{
	uint32_t v;

	memcpy(&v, from, sizeof(v));
	return v;
}

/* Decode the body of a sample. Returns 0, or -1 if the body is too short. */
static int decode(const struct kernel_ring *r, const unsigned char *body, unsigned len,
		  uint64_t *rec)
{
	unsigned at = 0;

	memset(rec, 0, ENGINE_NITEMS * sizeof(*rec));
	for (unsigned i = 0; i < NWORDS; i++) {
		if (!(r->sample_type & words[i].bit))
			continue;
		if (at + 8 > len)
			return -1;
		rec[words[i].item] =
			words[i].half == WHOLE
				? word(body + at)
				: half(body + at + 4 * (words[i].half == SECOND));
		at += 8;
	}
	return 0;
}

/*
 * Returns the number of lost samples, which is the last word of a record of lost samples.
 */
static uint64_t count_lost(uint32_t type, const unsigned char *body, unsigned len)
{
	const unsigned at = type == PERF_RECORD_LOST ? 8 : 0;

	return len >= at + 8 ? word(body + at) : 1;
}

/* Decode one record. Returns 1 if it was a sample, else 0. */
static int read_one(struct kernel_ring *r, uint32_t type, const unsigned char *body,
		    unsigned len, uint64_t *rec)
{
	switch (type) {
	case PERF_RECORD_SAMPLE:
		if (decode(r, body, len, rec) == 0)
			return 1;
		r->broken++;
		break;
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
		r->lost += count_lost(type, body, len);
		break;
	case PERF_RECORD_THROTTLE:
		r->throttled++;
		break;
	}
	return 0;
}

/* A record begins with its type (4 bytes), misc (2) and its size with the header (2). */
unsigned kernel_ring_read(struct kernel_ring *r, uint64_t head, uint64_t *rec,
			  unsigned max)
{
	unsigned char record[MAX_RECORD];
	unsigned n = 0;

	while (n < max && r->tail != head) {
		const uint64_t left = head - r->tail;
		uint16_t size = 0;

		if (left >= HEADER && left <= r->size) {
			copy(r, r->tail, record, HEADER);
			memcpy(&size, record + 6, sizeof(size));
		}
		if (size < HEADER || size % 8 || size > left) {
			r->broken++;
			r->tail = head;
			break;
		}
		const unsigned len = size < MAX_RECORD ? size : MAX_RECORD;
		copy(r, r->tail, record, len);
		n += (unsigned)read_one(r, half(record), record + HEADER, len - HEADER,
					&rec[(size_t)n * ENGINE_NITEMS]);
		r->tail += size;
	}
	return n;
}
