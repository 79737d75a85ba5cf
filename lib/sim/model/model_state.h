/*
 * The state of a simulated machine. Only the model's own files, and code that uses the
 * fast paths, access the members of struct sim.
 */
#ifndef SIM_MODEL_MODEL_STATE_H
#define SIM_MODEL_MODEL_STATE_H

#include "sim/model/cache.h"
#include "sim/model/sharing.h"
#include "sim/model/tlb.h"

/* The most CPUs of a simulated machine; the caller distributes LWPs over them. */
enum { SIM_MAXCPUS = 64 };

/* The parts that can be simulated; counters of a part that is off stay 0. */
enum {
	SIM_CACHES = 1,	  /* all levels, code and data: they depend on each other */
	SIM_TLBS = 2,	  /* code and data */
	SIM_BRANCHES = 4, /* directions of conditional branches */
	SIM_TARGETS = 8	  /* targets of indirect jumps, calls and returns */
};

/* Number of data pages that a CPU remembers as present in the TLB's first level. */
enum { SIM_PAGES = 64 };

/* Sets of the caches of twoway_shape.h, and words of a set: two hints, two lines. */
enum { TWOWAY_I1_SETS = 256, TWOWAY_D1_SETS = 512, TWOWAY_SET = 4 };

/*
 * The factor of the states in bp: the distance of two 8-byte counters, for not taken and
 * taken, so that generated code finds a state's counter by an addition.
 */
enum { SIM_BP_SCALE = 16 };

/*
 * A key is an address in which all bits that do not matter are set (the bits within its
 * page, or within its block); 0 is no key. Of a part that is off no bit matters: its keys
 * are ~0, so each key equals the key before.
 */
struct simcpu {
	/* The fast paths read the next members. */
	uint64_t *i1, *d1; /* words of the caches; &zero while the caches are off */
	/*
	 * The key of the page of the last fetch, from which further fetches need not look
	 * up the TLB. On machines with hints it is 0, and becomes this key only if the
	 * page has left the TLB since its last fetch (l1.c).
	 */
	uint64_t ipage;
	uint64_t store_block;	   /* key of the block of the last store that can merge */
	uint64_t dpage[SIM_PAGES]; /* keys, each at its page number mod SIM_PAGES */

	/* With hints: memory of i1 and d1 while another CPU runs, and see hint.h. */
	uint64_t *i1_saved, *d1_saved;
	uint64_t fetch_groups[SIM_PAGES], data_groups[SIM_PAGES];
	/* A bit for each place of dpage: several pages may have hints in data_groups. */
	uint64_t shared_slots;

	uint64_t *l2;
	uint8_t *way; /* the way table */
	/* The last data address that missed L2, and its distance from the one before. */
	uint64_t last_miss, miss_stride;
	struct tlb itlb1, dtlb1, itlb, dtlb;
	uint8_t *bp;	  /* 2-bit states of the branch predictor, times SIM_BP_SCALE */
	uint64_t history; /* unless this CPU runs: then in struct sim */
	uint64_t *ind;	  /* last target of each indirect jump */
	uint64_t *ras;	  /* stack of return addresses, a ring */
	unsigned top, depth; /* of ras: index of the next entry, entries in use */

	unsigned parts;			  /* parts for which this CPU has memory */
	uint64_t zero;			  /* always 0: the word of no line */
	uint64_t external[SIM_NCOUNTERS]; /* caused by other CPUs, not yet collected */
};

struct sim {
	/* The fast paths and generated code read the next members. */
	/* With hints: the running CPU's words of L1. */
	_Alignas(64) uint64_t d1_sets[TWOWAY_D1_SETS * TWOWAY_SET];
	uint64_t i1_sets[TWOWAY_I1_SETS * TWOWAY_SET];
	struct simcpu *cpu; /* the running CPU */
	uint64_t *l2_words; /* its members l2 and way */
	uint8_t *way;
	/*
	 * Of twoway_load_usual() and twoway_modify(), not yet counted: fills of L1D, and
	 * lines of it that were written back, and that became dirty.
	 */
	uint64_t fills, write_backs, upgrades;
	uint8_t *bp; /* the running CPU's predictor; NULL while SIM_BRANCHES is off */
	uint64_t history;    /* its outcomes of branches, the newest in bit 0 */
	uint64_t *count;     /* the caller's SIM_NCOUNTERS counters */
	struct cache i1, d1; /* real_i1 and real_d1, except while the caches are off */
	uint64_t ipage_low,
		dpage_low;     /* bits of an address within a page of code, of data */
	unsigned dshift;       /* log2 of a data page */
	uint64_t ignore_dirty; /* WORD_DIRTY with a write-through L1D, else 0 */
	uint64_t block_low;  /* bits of an address within a block in which stores merge */
	uint64_t split_bits; /* bits equal in both ends of a simple store */

	struct cache real_i1, real_d1; /* valid also while the caches are off */
	struct cache l2, l3;
	unsigned l2shift; /* log2 of an L2 line */
	uint64_t waymask; /* mask of an L2 line number: its index in the way table */
	uint64_t *l3words;
	const struct machine *m;
	unsigned parts;
	int is_twoway;	/* the caches are on, and have the shape of twoway_shape.h */
	unsigned ncpus; /* 1 + the highest CPU that was ever run */
	struct simcpu *cpus[SIM_MAXCPUS]; /* NULL: never run */
	unsigned running;		  /* the index of cpu */
	struct sharing sharing;		  /* in use while ncpus > 1 */
	void *(*alloc)(size_t size);
	uint64_t (*fetched)(void); /* see sim_open() */
};

#endif
