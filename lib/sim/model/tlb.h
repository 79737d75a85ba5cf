/*
 * One level of a TLB, first in, first out; entries are found by hash, whatever its ways.
 */
#ifndef SIM_MODEL_TLB_H
#define SIM_MODEL_TLB_H

#include <stddef.h>
#include <stdint.h>

#include "sim/shared/machine.h"

struct tlb {
	uint64_t *page;	    /* of each entry its number + 1; 0: free */
	uint16_t *bucket;   /* of each hash the first entry + 1; 0: none */
	uint16_t *chain;    /* of each entry the next one of its hash + 1; 0: none */
	uint16_t *next_way; /* of each set: the way that is filled next */
	unsigned shift;	    /* an address's page number */
	unsigned hash;	    /* a shift, too */
	unsigned ways, sets;
};

/* Of all but its memory. -1: it cannot be built so. */
int tlb_init(struct tlb *t, const struct mtlb *m);

/* Bytes that it takes, and that it is to have these; they are zero. */
size_t tlb_size(const struct tlb *t);
void tlb_set_memory(struct tlb *t, void *mem);

/*
 * The page of addr, which is not there, comes. Returns the page's number + 1 that goes,
 * or 0.
 */
uint64_t tlb_fill(struct tlb *t, uint64_t addr);

static inline uint16_t *tlb_bucket(const struct tlb *t, uint64_t page)
{
	/* 2^64 over the golden ratio: neighbours and strides both spread. */
	return &t->bucket[page * UINT64_C(0x9e3779b97f4a7c15) >> t->hash];
}

static inline int tlb_has(const struct tlb *t, uint64_t addr)
{
	const uint64_t page = addr >> t->shift;

	for (unsigned e = *tlb_bucket(t, page); e; e = t->chain[e - 1])
		if (t->page[e - 1] == page + 1)
			return 1;
	return 0;
}

#endif
