/*
 * What a simulated machine consists of. Only the model's own files and the fast paths
 * look inside struct sim.
 */
#ifndef SIM_MODEL_MODEL_STATE_H
#define SIM_MODEL_MODEL_STATE_H

#include "sim/model/cache.h"
#include "sim/model/tlb.h"

/* CPUs of a simulated machine: LWPs are spread over so many. */
enum { SIM_MAXCPUS = 64 };

/* What is simulated; what is off is not counted. */
enum {
	SIM_CACHES = 1,	  /* all levels, both sides: they depend on each other */
	SIM_TLBS = 2,	  /* both sides */
	SIM_BRANCHES = 4, /* of conditional branches */
	SIM_TARGETS = 8	  /* of indirect jumps, calls and returns */
};

/* Pages of data that are remembered to be in the first level of the TLB. */
enum { SIM_PAGES = 64 };

/*
 * Keys: an address with all bits set that do not matter (those within its page, within
 * its block). 0 is no key. Of what is off, all bits do not matter, and its keys are ~0:
 * so it is always what it was.
 */
struct simcpu {
	/* What the fast paths read. */
	uint64_t *i1, *d1;	   /* words; where there are no caches, one that is 0 */
	uint64_t ipage;		   /* key of the page of the last fetch */
	uint64_t store_block;	   /* key of the last block that stores merged in */
	uint64_t dpage[SIM_PAGES]; /* keys, each at its page's number mod SIM_PAGES */

	uint64_t *l2;
	uint8_t *way; /* the way table */
	/* The last address that missed L2 on the data side, and from the one before. */
	uint64_t last_miss, miss_stride;
	struct tlb itlb1, dtlb1, itlb, dtlb;
	uint8_t *bp;	     /* 2-bit states */
	uint64_t history;    /* while it does not run; else that of struct sim */
	uint64_t *ind;	     /* targets */
	uint64_t *ras;	     /* return addresses */
	unsigned top, depth; /* of ras: where the next goes, how many there are */

	unsigned parts; /* what it has memory for */
	uint64_t zero;	/* a word that is 0 */
	uint64_t external[SIM_NCOUNTERS];
};

struct sim {
	/* What the fast paths and generated code read. */
	struct simcpu *cpu; /* that runs */
	uint8_t *bp;	    /* its predictor's states; NULL: off */
	uint64_t history;   /* its outcomes, newest in bit 0 */
	uint64_t *count;
	struct cache i1, d1;
	uint64_t ipage_low,
		dpage_low;     /* bits of an address within a page, of each side */
	unsigned dshift;       /* an address's page number */
	uint64_t ignore_dirty; /* WORD_DIRTY, if L1D lines never become dirty; else 0 */
	uint64_t block_low; /* bits of an address within a block that stores merge in */
	uint64_t
		split_bits; /* bits in which a store's ends differ if it is of two of them */

	struct cache real_i1, real_d1; /* also while the caches are off */
	struct cache l2, l3;
	unsigned l2shift; /* an address's line number */
	uint64_t waymask; /* of a line number: its entry of the way table */
	uint64_t *l3words;
	const struct machine *m;
	unsigned parts;
	int is_twoway;	/* the caches are on, and are those of twoway.h */
	unsigned ncpus; /* 1 + the highest that there is */
	struct simcpu *cpus[SIM_MAXCPUS];
	void *(*alloc)(size_t size);
};

#endif
