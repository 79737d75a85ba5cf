/* The LWPCB (section 6), and what LLWPCB makes of it (section 4). */
#include <lwp.h>

#include <errno.h>
#include <string.h>

#include "base/bytes.h"

#define SIZE_MASK     UINT32_C(0x0fffffff)
#define INTERVAL_MASK UINT32_C(0x03ffffff)

int32_t lwp_interval_decode(uint32_t word)
{
	const uint32_t v = word & INTERVAL_MASK;

	return v > LWP_INTERVAL_MAX ? (int32_t)v + 2 * LWP_INTERVAL_MIN : (int32_t)v;
}

/* The number of events whose interval and counter fit into size bytes. */
static unsigned events_in(size_t size, const lwp_features_t *f)
{
	const size_t room = size > f->event_offset ? (size - f->event_offset) / 8 : 0;
	const size_t max =
		f->max_events < LWP_MAX_COUNTERS ? f->max_events : LWP_MAX_COUNTERS;

	return (unsigned)(room < max ? room : max);
}

int lwp_block_decode(lwp_block_t *b, const void *p, size_t size, const lwp_features_t *f)
{
	const uint8_t *at = p;

	if (size < LWP_BLOCK_FIXED || f->event_offset < LWP_BLOCK_FIXED) {
		errno = EINVAL;
		return -1;
	}
	const uint32_t word = bytes_get32(at + LWP_BLOCK_SIZE);

	*b = (lwp_block_t){
		.flags = bytes_get32(at + LWP_BLOCK_FLAGS),
		.buffer_size = word & SIZE_MASK,
		.random = word >> 28,
		.events = events_in(size, f),
		.buffer_base = bytes_get64(at + LWP_BLOCK_BASE),
		.head = bytes_get32(at + LWP_BLOCK_HEAD),
		.tail = bytes_get32(at + LWP_BLOCK_TAIL),
		.missed = bytes_get64(at + LWP_BLOCK_MISSED),
		.threshold = bytes_get32(at + LWP_BLOCK_THRESHOLD),
		.filters = bytes_get32(at + LWP_BLOCK_FILTERS),
		.base_ip = bytes_get64(at + LWP_BLOCK_BASE_IP),
		.limit_ip = bytes_get64(at + LWP_BLOCK_LIMIT_IP),
	};
	memcpy(b->software, at + LWP_BLOCK_SOFTWARE, sizeof(b->software));
	for (unsigned id = 1; id <= b->events; id++) {
		const uint8_t *pair = at + LWP_BLOCK_INTERVAL(f->event_offset, id);

		b->interval[id] = lwp_interval_decode(bytes_get32(pair));
		b->counter[id] = lwp_interval_decode(bytes_get32(pair + 4));
	}
	return 0;
}

static int is_interval(int32_t v)
{
	return v >= LWP_INTERVAL_MIN && v <= LWP_INTERVAL_MAX;
}

static int fits(size_t size, const lwp_block_t *b, const lwp_features_t *f)
{
	if (size < LWP_BLOCK_FIXED || f->event_offset < LWP_BLOCK_FIXED ||
	    b->events > events_in(size, f))
		return 0;
	if (b->buffer_size > SIZE_MASK || b->random > 15)
		return 0;
	for (unsigned id = 1; id <= b->events; id++)
		if (!is_interval(b->interval[id]) || !is_interval(b->counter[id]))
			return 0;
	return 1;
}

int lwp_block_encode(void *p, size_t size, const lwp_block_t *b, const lwp_features_t *f)
{
	uint8_t *at = p;

	if (!fits(size, b, f)) {
		errno = EINVAL;
		return -1;
	}
	memset(at, 0, size);
	bytes_put32(at + LWP_BLOCK_FLAGS, b->flags);
	bytes_put32(at + LWP_BLOCK_SIZE, b->buffer_size | (uint32_t)b->random << 28);
	bytes_put64(at + LWP_BLOCK_BASE, b->buffer_base);
	bytes_put32(at + LWP_BLOCK_HEAD, b->head);
	bytes_put32(at + LWP_BLOCK_TAIL, b->tail);
	bytes_put64(at + LWP_BLOCK_MISSED, b->missed);
	bytes_put32(at + LWP_BLOCK_THRESHOLD, b->threshold);
	bytes_put32(at + LWP_BLOCK_FILTERS, b->filters);
	bytes_put64(at + LWP_BLOCK_BASE_IP, b->base_ip);
	bytes_put64(at + LWP_BLOCK_LIMIT_IP, b->limit_ip);
	memcpy(at + LWP_BLOCK_SOFTWARE, b->software, sizeof(b->software));
	for (unsigned id = 1; id <= b->events; id++) {
		uint8_t *pair = at + LWP_BLOCK_INTERVAL(f->event_offset, id);

		bytes_put32(pair, (uint32_t)b->interval[id] & INTERVAL_MASK);
		bytes_put32(pair + 4, (uint32_t)b->counter[id] & INTERVAL_MASK);
	}
	return 0;
}

/* The filters that a processor ignores (section 3.1). */
static uint32_t ignored_filters(const lwp_features_t *f)
{
	uint32_t ignored = 0;

	if (!f->has_ip_filtering)
		ignored |= LWP_FILTER_IPF | LWP_FILTER_IPI;
	if (!f->has_branch_prediction)
		ignored |= LWP_FILTER_NMB | LWP_FILTER_NPB;
	if (!f->has_cache_levels)
		ignored |= LWP_FILTER_CLF | LWP_FILTER_NBC | LWP_FILTER_RDC |
			   LWP_FILTER_RAM | LWP_FILTER_OTH;
	if (!f->has_cache_latency)
		ignored |= 0xff;
	return ignored;
}

static uint32_t round_down(uint32_t v, uint32_t step)
{
	return v - v % step;
}

/* 1: LLWPCB refuses the size of the ring. */
static int is_too_small(const lwp_block_t *b, const lwp_features_t *f)
{
	const uint64_t min = UINT64_C(32) * f->min_buffer * f->event_size;

	return f->event_size == 0 || b->buffer_size < f->event_size ||
	       b->buffer_size < min;
}

int lwp_block_start(lwp_block_t *b, const lwp_features_t *f, int32_t min_interval)
{
	const uint32_t step = f->event_size;

	if (is_too_small(b, f)) {
		errno = EINVAL;
		return -1;
	}
	b->flags &= f->available & ~UINT32_C(1);
	b->filters &= ~ignored_filters(f);
	b->buffer_size = round_down(b->buffer_size, step);
	b->head = b->head > b->buffer_size - step ? 0 : round_down(b->head, step);
	b->threshold = round_down(b->threshold, step);
	for (unsigned id = 1; id <= b->events && id <= LWP_MAX_COUNTERS; id++) {
		const int32_t min = id == LWP_EVENT_VAL ? 0 : min_interval;

		if (!(b->flags & LWP_FLAG(id)))
			continue;
		if (b->interval[id] < min)
			b->interval[id] = min;
		if (b->counter[id] < 0)
			b->counter[id] = 0;
	}
	return 0;
}

/* Filters which together let no branch pass. */
static int no_branch_passes(uint32_t filters)
{
	const uint32_t predictions = LWP_FILTER_NMB | LWP_FILTER_NPB;
	const uint32_t kinds = LWP_FILTER_NAB | LWP_FILTER_NCB | LWP_FILTER_NRB;

	return (filters & predictions) == predictions || (filters & kinds) == kinds;
}

static int is_zero(const uint8_t *p, size_t from, size_t to)
{
	while (from < to)
		if (p[from++])
			return 0;
	return 1;
}

/* 1: reserved bytes are not 0, or reserved bits apart from those of flags. */
static int has_reserved(const uint8_t *p, size_t size, const lwp_block_t *b,
			const lwp_features_t *f)
{
	const size_t end = size < f->event_offset ? size : f->event_offset;

	if (!is_zero(p, 20, 24) || !is_zero(p, 56, 64) || !is_zero(p, 68, 72) ||
	    !is_zero(p, LWP_BLOCK_FIXED, end) || b->filters & UINT32_C(0x01ffe000))
		return 1;
	for (unsigned id = 1; id <= b->events; id++) {
		const uint8_t *pair = p + LWP_BLOCK_INTERVAL(f->event_offset, id);

		if ((bytes_get32(pair) | bytes_get32(pair + 4)) & ~INTERVAL_MASK)
			return 1;
	}
	return 0;
}

static unsigned check_ring(const lwp_block_t *b, const lwp_features_t *f)
{
	const uint32_t step = f->event_size ? f->event_size : LWP_EVENT_SIZE;
	const uint32_t size = round_down(b->buffer_size, step);
	unsigned bad = is_too_small(b, f) ? LWP_BAD_SIZE : 0;

	if (b->buffer_size != size)
		bad |= LWP_BAD_SIZE_STEP;
	if (size == 0 || b->head > size - step)
		bad |= LWP_BAD_HEAD;
	else if (b->head % step)
		bad |= LWP_BAD_HEAD_STEP;
	if (b->tail >= size)
		bad |= LWP_BAD_TAIL;
	else if (b->tail % step)
		bad |= LWP_BAD_TAIL_STEP;
	if (b->flags & LWP_FLAG_INT && (b->threshold % step || b->threshold > size))
		bad |= LWP_BAD_THRESHOLD;
	if (b->buffer_base + b->buffer_size < b->buffer_base)
		bad |= LWP_BAD_WRAP;
	return bad;
}

static unsigned check_events(const lwp_block_t *b)
{
	unsigned bad = 0;

	for (unsigned id = 1; id <= b->events; id++) {
		if (!(b->flags & LWP_FLAG(id)))
			continue;
		if (b->interval[id] < 0)
			bad |= LWP_BAD_INTERVAL;
		else if (b->random && b->interval[id] < (1 << b->random) - 1)
			bad |= LWP_BAD_RANDOM;
		if (b->counter[id] < 0)
			bad |= LWP_BAD_COUNTER;
	}
	return bad;
}

unsigned lwp_block_check(const void *p, size_t size, const lwp_features_t *f)
{
	lwp_block_t b;

	if (lwp_block_decode(&b, p, size, f) != 0)
		return LWP_BAD_SHORT;
	unsigned bad = check_ring(&b, f) | check_events(&b);

	if (b.events < f->max_events && b.events < LWP_MAX_COUNTERS)
		bad |= LWP_BAD_SHORT;
	if (b.flags & ~f->available)
		bad |= LWP_BAD_FLAGS;
	if (b.filters & ignored_filters(f))
		bad |= LWP_BAD_FILTERS;
	if (b.flags & LWP_FLAG(LWP_EVENT_BRE) && no_branch_passes(b.filters))
		bad |= LWP_BAD_BRANCHES;
	if (b.filters & LWP_FILTER_IPF && b.base_ip > b.limit_ip)
		bad |= LWP_BAD_RANGE;
	if (has_reserved(p, size, &b, f))
		bad |= LWP_BAD_RESERVED;
	return bad;
}
