#include <lwp.h>

#include "base/bytes.h"

/* Offsets in the area (section 7.2). */
enum {
	BLOCK = 0,
	FLAGS = 8,
	HEAD = 12,
	BASE = 16,
	SIZE = 24,
	FILTERS = 28,
	PENDING = 32
};
enum { COUNTERS = 64 };

#define SIZE_MASK    UINT32_C(0x0fffffff)
#define COUNTER_MASK UINT32_C(0x03ffffff)

void lwp_state_decode(lwp_state_t *s, const void *p)
{
	const uint8_t *b = p;

	*s = (lwp_state_t){
		.block = bytes_get64(b + BLOCK),
		.flags = bytes_get32(b + FLAGS),
		.head = bytes_get32(b + HEAD),
		.base = bytes_get64(b + BASE),
		.size = bytes_get32(b + SIZE) & SIZE_MASK,
		.filters = bytes_get32(b + FILTERS),
	};
	lwp_record_decode(&s->pending, b + PENDING);
	for (unsigned id = 1; id <= LWP_MAX_COUNTERS; id++)
		s->counter[id] =
			lwp_interval_decode(bytes_get32(b + COUNTERS + 4 * (id - 1)));
}

void lwp_state_encode(void *p, const lwp_state_t *s)
{
	uint8_t *b = p;

	bytes_put64(b + BLOCK, s->block);
	bytes_put32(b + FLAGS, s->flags);
	bytes_put32(b + HEAD, s->head);
	bytes_put64(b + BASE, s->base);
	bytes_put32(b + SIZE, s->size & SIZE_MASK);
	bytes_put32(b + FILTERS, s->filters);
	lwp_record_encode(b + PENDING, &s->pending);
	for (unsigned id = 1; id <= LWP_MAX_COUNTERS; id++)
		bytes_put32(b + COUNTERS + 4 * (id - 1),
			    (uint32_t)s->counter[id] & COUNTER_MASK);
}
