#include "engine/bpf/order.h"

#include <stdlib.h>
#include <string.h>

static uint64_t number_of(const unsigned char *record)
{
	uint64_t seq;

	memcpy(&seq, record + offsetof(struct bpf_life, seq), sizeof seq);
	return seq;
}

static int grow(struct bpf_order *o)
{
	const size_t room = o->room ? 2 * o->room : 256;
	unsigned char *more = realloc(o->record, room * o->size);

	if (!more)
		return -1;
	o->record = more;
	o->room = room;
	return 0;
}

void bpf_order_take(struct bpf_order *o, const void *record, size_t len)
{
	if (len > o->size || len < offsetof(struct bpf_life, val) ||
	    (o->n == o->room && grow(o) == -1)) {
		o->lost++;
		return;
	}
	unsigned char *to = o->record + o->n++ * o->size;
	memcpy(to, record, len);
	memset(to + len, 0, o->size - len);
}

static int compare(const void *a, const void *b)
{
	const uint64_t x = number_of(a), y = number_of(b);

	return (x > y) - (x < y);
}

/* The records mostly come in their order. */
static void sort(struct bpf_order *o)
{
	for (size_t i = 1; i < o->n; i++)
		if (number_of(o->record + i * o->size) <
		    number_of(o->record + (i - 1) * o->size)) {
			qsort(o->record, o->n, o->size, compare);
			return;
		}
}

void bpf_order_emit(struct bpf_order *o, enum bpf_order_gaps gaps, void *arg,
		    void (*fn)(void *arg, const struct bpf_life *life))
{
	size_t i = 0;

	sort(o);
	for (; i < o->n; i++) {
		const unsigned char *record = o->record + i * o->size;
		const uint64_t seq = number_of(record);
		const int skip = gaps == BPF_ORDER_SKIP_ALL ||
				 (gaps == BPF_ORDER_SKIP_OLD && seq == o->gap);

		if (seq != o->next && !skip)
			break;
		o->next = seq + 1;
		fn(arg, (const struct bpf_life *)record);
	}
	o->n -= i;
	if (o->n)
		memmove(o->record, o->record + i * o->size, o->n * o->size);
	o->gap = o->n ? number_of(o->record) : 0;
}

void bpf_order_free(struct bpf_order *o)
{
	free(o->record);
	*o = (struct bpf_order){.size = o->size};
}
