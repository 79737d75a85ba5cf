/* The machines that can be simulated: events/NAME.machine. */
#ifndef SIM_SHARED_MACHINE_H
#define SIM_SHARED_MACHINE_H

#include <stdint.h>

#include "sim_counters.h"

/* Which line or entry goes when one must. */
enum repl { REPL_LRU, REPL_FIFO };

struct mcache {
	uint32_t size, line; /* bytes; size 0: there is none */
	uint32_t sub; /* bytes that are filled at once; line, if it has no sub-blocks */
	uint32_t ways;
	uint8_t repl;	   /* enum repl */
	uint8_t writeback; /* else write-through */
	uint8_t alloc;	   /* a write that misses fills */
	uint8_t inclusive; /* of L2: what is in L1I and L1D is here too */
};

struct mtlb {
	uint32_t entries; /* 0: there is none */
	uint32_t ways;	  /* 0: fully associative */
	uint32_t page;	  /* bytes of an entry: all of its pages */
	uint8_t repl;
};

enum bpkind { BP_BIMODAL, BP_GSHARE };

/* A cost of the estimate of cycles: each of a counter takes so many, of a group. */
enum cost_group {
	COST_BASE,
	COST_FETCH,
	COST_LOAD,
	COST_TLB,
	COST_BR,
	COST_WB,
	COST_NGROUPS
};

struct penalty {
	enum sim_counter counter;
	enum cost_group group;
	double cycles;
};

struct machine {
	const char *name, *title;
	unsigned mhz;
	unsigned width; /* instructions a cycle */
	struct mcache i1, d1, l2, l3;
	unsigned waypred; /* entries of the way-prediction table of L2; 0: none */
	/*
	 * itlb1, dtlb1: first level where there are two (or one that is not counted, of a
	 * joint TLB: none here). itlb, dtlb: the last; joint: dtlb serves both sides.
	 */
	struct mtlb itlb1, dtlb1, itlb, dtlb;
	int joint;
	enum bpkind bp;
	/* index: pc >> shift [^ pc >> fold, if fold is not 0] [^ history of hist bits] */
	unsigned bp_entries, bp_shift, bp_fold, bp_hist;
	/* state of all at first: 0 to 3, from 2 on taken is predicted */
	unsigned bp_init;
	unsigned ras; /* entries of the return stack; 0: none */
	unsigned ind; /* entries of the cache of indirect targets; 0: none */
	/* bytes in which stores of a write-through L1D merge; 0: they do not */
	unsigned wmerge;
	unsigned npenalties;
	const struct penalty *penalty;
};

/* Ends with NULL. */
extern const struct machine *const machines[];

#endif
