/*
 * A description of a machine that can be simulated, and the keys of its text
 * (events/NAME.machine). This file and machine.c are also part of the simulator, which
 * has no C library.
 */
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
	MOP_ALU,    /* integer, except shifts, multiplications, divisions */
	MOP_SHIFT,  /* integer, scalar */
	MOP_BRANCH, /* of every kind */
	MOP_LOAD,   /* to integer registers */
	MOP_LOADFP, /* to FP and vector registers */
	MOP_STORE,
	MOP_VEC, /* integer and logical operations, moves and shuffles of vectors */
	MOP_MUL32,
	MOP_MUL64,
	MOP_FADD, /* also subtractions, comparisons, conversions, ... */
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

/* In cycles; the latency is 0 to 127, the repeat rate 1 to 127. */
struct timing {
	uint8_t latency; /* until another operation can use the result */
	uint8_t repeat;	 /* until the unit can begin another operation */
	uint32_t units;	 /* bit 0: unit A, ...: each unit that can do the operation */
};

/* The parts of the estimate of cycles that follow from penalties. */
enum cost_group { COST_FETCH, COST_LOAD, COST_TLB, COST_BR, COST_WB, COST_NGROUPS };

/* Each event that this counter counts adds this many cycles to a part of the estimate. */
struct penalty {
	enum sim_counter counter;
	enum cost_group group;
	double cycles;
};

enum { MACHINE_NAME = 32, MACHINE_TITLE = 96 }; /* bytes with the NUL */

/* Has no pointers, so that it can be copied into the pages of a run. */
struct machine {
	char name[MACHINE_NAME], title[MACHINE_TITLE];
	uint32_t mhz;
	uint32_t width;	   /* instructions that can be issued in a cycle */
	uint32_t turn;	   /* blocks of a turn while LWPs contend for a line */
	uint32_t in_order; /* 1: no instruction begins before those that precede it */
	uint32_t simd;	   /* bytes of an FP operation on vectors; 0: one element each */
	struct timing timing[MOP_NOPS];
	struct mcache i1, d1, l2, l3;
	uint32_t waypred; /* entries of L2's way-prediction table; 0: no table */
	/*
	 * itlb1, dtlb1: the first of two levels; 0 entries with one level, and with a
	 * joint TLB. itlb, dtlb: the last level. joint: dtlb maps code and data, and itlb
	 * is unused.
	 */
	struct mtlb itlb1, dtlb1, itlb, dtlb;
	uint32_t joint;
	/* A prefetch of a page that no level has: 1: fills the TLB; 0: does nothing. */
	uint32_t prefetch_walk;
	uint32_t bp; /* enum bpkind */
	/* index: pc >> shift, ^ pc >> fold unless fold is 0, ^ hist bits of history */
	uint32_t bp_entries, bp_shift, bp_fold, bp_hist;
	/* first state of each entry, 0 to 3; 2 and 3 predict a taken branch */
	uint32_t bp_init;
	uint32_t ras; /* entries of the return stack; 0: no stack */
	uint32_t ind; /* entries of the cache of indirect targets; 0: no cache */
	/* block in which stores to a write-through L1D merge, in bytes; 0: none */
	uint32_t wmerge;
	uint32_t npenalties;
	struct penalty penalty[SIM_NCOUNTERS];
};

/* Parts that not every machine has. The keys of an absent part are 0. */
enum machine_part {
	PART_ALWAYS,
	PART_L3,
	PART_SPLIT, /* TLBs of code and data are apart */
	PART_ITLB1,
	PART_DTLB1,
	PART_GSHARE
};

/* Returns whether the machine has a part. */
int machine_has(const struct machine *m, enum machine_part part);

/* For the member otherwise: the key must be given; it has the value of the row before. */
enum { KEY_NEEDED = -1, KEY_BEFORE = -2 };

/* A line KEY VALUE in the text of a machine, and the member that has the value. */
struct machine_key {
	const char *name;
	/* "a b": the value is the index of one of these words; NULL: it is a number */
	const char *words;
	uint32_t min, max; /* also of the index of a word */
	int power;	   /* 1: a number must be a power of two, or 0 if min is 0 */
	int64_t otherwise; /* the value of a key that is not given, or KEY_ */
	enum machine_part part;
	uint16_t offset, size; /* of the member, in bytes */
};

/* All keys but machine, timing and penalty; the last has a NULL name. */
extern const struct machine_key machine_keys[];

/*
 * The names of enum machine_op and enum cost_group, in their order, with blanks
 * between.
 */
extern const char machine_ops[], machine_groups[];

enum { MACHINE_CYCLES = 127, MACHINE_UNITS = 26 }; /* the most of a timing */

uint32_t machine_get(const struct machine *m, const struct machine_key *key);
void machine_put(struct machine *m, const struct machine_key *key, uint32_t value);

/* Fill the members that have no key of their own. */
void machine_complete(struct machine *m);

/* Returns whether a key can have this value, by its range and power. */
int machine_key_allows(const struct machine_key *key, uint64_t value);

/*
 * Check a machine: the ranges of all keys, and the rules between them. Calls fault with
 * each key that is wrong and why; text NULL means that machine_key_allows() refuses its
 * value. Returns the number of faults; the model can represent a machine with none.
 */
unsigned machine_check(const struct machine *m, void *arg,
		       void (*fault)(void *arg, const char *key, const char *text));

#endif
