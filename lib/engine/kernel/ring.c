#include "engine/kernel/ring.h"

#include <linux/perf_event.h>
#include <string.h>

enum { HEADER = 8, MAX_RECORD = HEADER + 8 * ENGINE_NITEMS };

/*
 * What a PERF_RECORD_SAMPLE holds, in its order (perf_event_open(2)); one word each, of
 * which an item may be a half.
 */
static const struct {
	uint64_t bit;
	enum engine_item item;
	enum { WHOLE, FIRST, SECOND } half;
} words[] = {
	{PERF_SAMPLE_IP, ITEM_PC, WHOLE},
	{PERF_SAMPLE_TID, ITEM_TID, SECOND}, /* behind the process */
	{PERF_SAMPLE_TIME, ITEM_TIME, WHOLE},
	{PERF_SAMPLE_ADDR, ITEM_ADDR, WHOLE},
	{PERF_SAMPLE_CPU, ITEM_CPU, FIRST}, /* nothing behind it */
	{PERF_SAMPLE_PERIOD, ITEM_PERIOD, WHOLE},
	{PERF_SAMPLE_WEIGHT, ITEM_LATENCY, WHOLE},
	{PERF_SAMPLE_DATA_SRC, ITEM_DATA_SRC, WHOLE},
};

enum { NWORDS = sizeof(words) / sizeof(words[0]) };

uint64_t kernel_ring_what(uint64_t items)
{
	uint64_t what = 0;

	for (unsigned i = 0; i < NWORDS; i++)
		if (items >> words[i].item & 1)
			what |= words[i].bit;
	return what;
}

unsigned kernel_ring_record(uint64_t items)
{
	return HEADER + 8 * (unsigned)__builtin_popcountll(kernel_ring_what(items));
}

/* len bytes from where the ring's bytes are counted from; they may go round its end. */
static void copy(const struct kernel_ring *r, uint64_t from, void *to, unsigned len)
{
	const uint64_t at = from & (r->size - 1);
	const uint64_t first = r->size - at < len ? r->size - at : len;

	memcpy(to, r->data + at, first);
	memcpy((unsigned char *)to + first, r->data, len - first);
}

/* The kernel writes in the order of the machine. */
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

/* -1: it is too short. */
static int decode(const struct kernel_ring *r, const unsigned char *body, unsigned len,
		  uint64_t *rec)
{
	unsigned at = 0;

	memset(rec, 0, ENGINE_NITEMS * sizeof(*rec));
	for (unsigned i = 0; i < NWORDS; i++) {
		if (!(r->what & words[i].bit))
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

/* How many records one that tells of lost ones stands for; its number of them is last. */
static uint64_t lost(uint32_t type, const unsigned char *body, unsigned len)
{
	const unsigned at = type == PERF_RECORD_LOST ? 8 : 0;

	return len >= at + 8 ? word(body + at) : 1;
}

/* Returns whether it was a sample. */
static int take_one(struct kernel_ring *r, uint32_t type, const unsigned char *body,
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
		r->lost += lost(type, body, len);
		break;
	case PERF_RECORD_THROTTLE:
		r->throttled++;
		break;
	}
	return 0;
}

/* Every record begins with type (4 bytes), misc (2) and its size (2), header and all. */
unsigned kernel_ring_take(struct kernel_ring *r, uint64_t head, uint64_t *rec,
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
		n += (unsigned)take_one(r, half(record), record + HEADER, len - HEADER,
					&rec[(size_t)n * ENGINE_NITEMS]);
		r->tail += size;
	}
	return n;
}
