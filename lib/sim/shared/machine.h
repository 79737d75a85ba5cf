/* A description of each machine that can be simulated, made from events/NAME.machine. */
#ifndef SIM_SHARED_MACHINE_H
#define SIM_SHARED_MACHINE_H

#include <stdint.h>

#include "sim_counters.h"

/*
 * Which line of a full set, or which TLB entry, is replaced. REPL_WAYPRED, only for an L2
 * with a table of way predictions: the line in the way that is not predicted.
 */
enum repl { REPL_LRU, REPL_FIFO, REPL_WAYPRED };

struct mcache {
	uint32_t size, line; /* bytes; size 0: the machine has no such cache */
	uint32_t sub; /* bytes of a sub-block, filled at once; line: no sub-blocks */
	uint32_t ways;
	uint8_t repl;	   /* enum repl */
	uint8_t writeback; /* 1: write-back; 0: write-through */
	uint8_t alloc;	   /* 1: a write that misses fills the line */
	uint8_t inclusive; /* L2 only: it contains every line of L1I and L1D */
};

struct mtlb {
	uint32_t entries; /* 0: the machine has no such TLB */
	uint32_t ways;	  /* 0: fully associative */
	uint32_t page;	  /* bytes that an entry maps: all of its pages */
	uint8_t repl;
};

enum bpkind { BP_BIMODAL, BP_GSHARE };

/*
 * Kinds of operations, each with a timing, from the cheapest to the dearest: an
 * instruction is an operation of its dearest kind, and its loads and stores. FP is
 * floating point, 32 and 64 are the bits of the operands.
 */
enum machine_op {
	MOP_ALU,    /* integer operations but shifts, multiplications and divisions */
	MOP_SHIFT,  /* integer, scalar */
	MOP_BRANCH, /* of every kind */
	MOP_LOAD,   /* to integer registers */
	MOP_LOADFP, /* to FP and vector registers */
	MOP_STORE,
	MOP_VEC, /* integer and logical operations, moves and shuffles of vectors */
	MOP_MUL32,
	MOP_MUL64,
	MOP_FADD, /* and subtractions, compares, conversions, ... */
	MOP_FMUL,
	MOP_FMA,
	MOP_DIV32,
	MOP_DIV64,
	MOP_FDIV32,
	MOP_FDIV64,
	MOP_FSQRT32,
	MOP_FSQRT64,
	MOP_NOPS
};

/* In cycles: 0 to 127, 1 to 127. */
struct timing {
	uint8_t latency; /* until another operation can use the result */
	uint8_t repeat;	 /* until the unit can begin another operation */
	uint32_t units;	 /* bit 0: unit A, ...: each unit that can do the operation */
};

/* The parts of the estimate of cycles. */
enum cost_group {
	COST_BASE,
	COST_FETCH,
	COST_LOAD,
	COST_TLB,
	COST_BR,
	COST_WB,
	COST_NGROUPS
};

/* Each event that this counter counts adds this many cycles to a part of the estimate. */
struct penalty {
	enum sim_counter counter;
	enum cost_group group;
	double cycles;
};

struct machine {
	const char *name, *title;
	unsigned mhz;
	unsigned width; /* instructions that can be issued in a cycle */
	unsigned simd;	/* bytes of an FP operation on vectors; 0: one element each */
	struct timing timing[MOP_NOPS];
	struct mcache i1, d1, l2, l3;
	unsigned waypred; /* entries of L2's way-prediction table; 0: no table */
	/*
	 * itlb1, dtlb1: the first of two levels; 0 entries with one level, and with a
	 * joint TLB. itlb, dtlb: the last level. joint: dtlb maps code and data, and itlb
	 * is unused.
	 */
	struct mtlb itlb1, dtlb1, itlb, dtlb;
	int joint;
	/* A prefetch of a page that no level has: 1: fills the TLB; 0: does nothing. */
	int prefetch_walk;
	enum bpkind bp;
	/* index: pc >> shift, ^ pc >> fold unless fold is 0, ^ hist bits of history */
	unsigned bp_entries, bp_shift, bp_fold, bp_hist;
	/* first state of each entry, 0 to 3; 2 and 3 predict a taken branch */
	unsigned bp_init;
	unsigned ras; /* entries of the return stack; 0: no stack */
	unsigned ind; /* entries of the cache of indirect targets; 0: no cache */
	/* block in which stores to a write-through L1D merge, in bytes; 0: none */
	unsigned wmerge;
	unsigned npenalties;
	const struct penalty *penalty;
};

/* All machines, and NULL at the end. */
extern const struct machine *const machines[];

#endif
