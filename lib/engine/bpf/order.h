/* Records in the order of their numbers, which come in any order. Pure functions. */
#ifndef ENGINE_BPF_ORDER_H
#define ENGINE_BPF_ORDER_H

#include <stddef.h>
#include <stdint.h>

#include "engine/bpf/life.h"

/* Starts as zeros but for size, the largest size of a record in bytes. */
struct bpf_order {
	size_t size;
	size_t n, room; /* records that wait */
	unsigned char *record;
	uint64_t next; /* the number of the next record */
	uint64_t gap;  /* the number after next that the last call found, or 0 */
	uint64_t lost; /* records for which no memory was available */
};

/* Take a copy of a record of len bytes. */
void bpf_order_take(struct bpf_order *o, const void *record, size_t len);

/* Which records to emit if a number is missing. */
enum bpf_order_gaps {
	BPF_ORDER_WAIT, /* those before the number */
	/* those behind, too, if the number was missing in the call before already */
	BPF_ORDER_SKIP_OLD,
	BPF_ORDER_SKIP_ALL
};

/* Call fn for the records, in their order; the values are valid during the call. */
void bpf_order_emit(struct bpf_order *o, enum bpf_order_gaps gaps, void *arg,
		    void (*fn)(void *arg, const struct bpf_life *life));

void bpf_order_free(struct bpf_order *o);

#endif
