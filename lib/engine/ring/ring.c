#include "engine/ring/ring.h"

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

static void count_others(struct kernel_ring *r, const unsigned char *record, unsigned len)
{
	switch (half(record)) {
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
		r->lost += count_lost(half(record), record + HEADER, len - HEADER);
		break;
	case PERF_RECORD_THROTTLE:
		r->throttled++;
		break;
	}
}

/* A record begins with its type (4 bytes), misc (2) and its size with the header (2). */
unsigned kernel_ring_next(struct kernel_ring *r, uint64_t head, unsigned char *record,
			  unsigned max)
{
	const uint64_t left = head - r->tail;
	uint16_t size = 0;

	if (!left)
		return 0;
	if (left >= HEADER && left <= r->size) {
		copy(r, r->tail, record, HEADER);
		memcpy(&size, record + 6, sizeof(size));
	}
	if (size < HEADER || size % 8 || size > left) {
		r->broken++;
		r->tail = head;
		return 0;
	}
	const unsigned len = size < max ? size : max;
	copy(r, r->tail, record, len);
	r->tail += size;
	count_others(r, record, len);
	return len;
}

unsigned kernel_ring_read(struct kernel_ring *r, uint64_t head, uint64_t *rec,
			  unsigned max)
{
	unsigned char record[MAX_RECORD];
	unsigned n = 0, len;

	while (n < max && (len = kernel_ring_next(r, head, record, sizeof(record)))) {
		if (half(record) != PERF_RECORD_SAMPLE)
			continue;
		if (decode(r, record + HEADER, len - HEADER,
			   &rec[(size_t)n * ENGINE_NITEMS]) == 0)
			n++;
		else
			r->broken++;
	}
	return n;
}
