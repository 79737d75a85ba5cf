/*
 * One level of a TLB with first-in, first-out replacement. A hash table finds entries,
 * also in a fully associative TLB.
 */
#ifndef SIM_MODEL_TLB_H
#define SIM_MODEL_TLB_H

#include <stddef.h>
#include <stdint.h>

#include "sim/shared/machine.h"

struct tlb {
	uint64_t *page;	  /* of each entry: page number + 1; 0: free */
	uint16_t *bucket; /* of each hash: its first entry + 1; 0: none */
	uint16_t *chain; /* of each entry: the next entry of the same hash + 1; 0: none */
	uint16_t *next_way; /* of each set: the way that is replaced next */
	unsigned shift;	    /* log2 of the page size */
	unsigned hash;	    /* shift that makes a bucket's index of a hash */
	unsigned ways, sets;
};

/* Sets up all members but the arrays. Returns -1 for an unsupported TLB. */
int tlb_init(struct tlb *t, const struct mtlb *m);

/*
 * tlb_size() returns the bytes that the arrays take; tlb_set_memory() places them in mem,
 * which has that many zeroed bytes and stays the caller's.
 */
size_t tlb_size(const struct tlb *t);
void tlb_set_memory(struct tlb *t, void *mem);

/*
 * Adds the page of addr, which must be absent. Returns the number + 1 of the page that it
 * replaces, or 0.
 */
uint64_t tlb_fill(struct tlb *t, uint64_t addr);

static inline uint16_t *tlb_bucket(const struct tlb *t, uint64_t page)
{
	/* 2^64 divided by the golden ratio: spreads neighbours and strides alike. */
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
