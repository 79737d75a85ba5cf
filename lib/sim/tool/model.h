/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The model of this process, for the other parts of the tool. */
#ifndef SIM_TOOL_MODEL_H
#define SIM_TOOL_MODEL_H

#include "sim/model/cache.h"
#include "sim/tool/tool.h"

enum access {
	ACCESS_FETCH,
	ACCESS_LOAD,
	ACCESS_STORE,
	ACCESS_MODIFY /* a load and then a store of the same bytes */
};

/* A function that generated code calls. */
struct access_helper {
	const char *name;
	void *fn;
};

/*
 * Helpers for a size that has hints: of loads, of stores, and outside of recordings of
 * modifications.
 */
typedef const struct access_helper access_sized_t[3];

#define ACCESS_SIZES(m) m(1) m(2) m(4) m(8) m(16) m(32)

/* Returns the helper for an access of a size, or NULL if the size has no hints. */
static inline const struct access_helper *access_of_size(access_sized_t *all,
							 enum access kind, unsigned size)
{
	if (size > 32 || !is_pow2(size))
		return NULL;
	return &all[floor_log2(size)][kind - ACCESS_LOAD];
}

struct sim;
extern struct sim model_sim;

/*
 * Numbers of the aligned 8-byte words that the current string instruction last accessed:
 * in the two operands that it reads, and the one that it writes. Several elements in one
 * word count as one access.
 */
struct model_string {
	uint64_t word[3];
};
#define MODEL_NO_STRING ((struct model_string){{~0ULL, ~0ULL, ~0ULL}})
extern struct model_string model_string;

/*
 * Sets up tool.machine, a checked copy of m, with empty caches and no part simulated. m
 * NULL: the process counts nothing. Ends the process if the machine is not valid.
 */
void model_open(const struct machine *m);

/*
 * Requests these counters too, with the parts they need. Returns -1 if memory runs out.
 */
int model_request(uint64_t mask);

/*
 * Simulates the parts that these counters need, without requesting the counters. Returns
 * -1 if memory runs out.
 */
int model_simulate(uint64_t mask);

/*
 * The program has several LWPs: simulates the caches, if that does not yet happen, as
 * accesses to the same lines determine the lengths of turns.
 */
void model_share(void);

/* Are the addresses of accesses needed, for caches or TLBs? */
int model_needs_addresses(void);

/* Runs this CPU of the machine from now on. Returns -1 if memory runs out. */
int model_switch_cpu(unsigned cpu);

/* Adds to tool.count what the model has counted apart. */
void model_settle(void);

/* Adds to tool.count what other CPUs caused in this CPU. */
void model_collect_external(unsigned cpu);

/* Returns the address of the L1I line of addr. */
Addr model_line(Addr addr);

/* Helpers for sequences of accesses. Bit fields of the last argument are their sizes. */
enum { MODEL_SIZE_BITS = 16 };
const struct access_helper *model_helper(const enum access *kind, unsigned n);

/*
 * Returns the helper for an access for which no hint says that it changes no state; its
 * only argument is the address. Returns NULL if the machine has no hints for this size.
 */
const struct access_helper *model_unhinted(enum access kind, unsigned size);

/* ---- Accesses in a recording, which may be counted at their instruction */

/*
 * Returns where accesses of this kind of the instruction at pc are counted: the last
 * argument of these helpers; NULL if they are not counted.
 */
uint64_t *access_counts(enum access kind, uint64_t pc);

/* Returns the helper with the arguments address, size, counts. */
const struct access_helper *access_general(enum access kind);

/*
 * Returns the helper with the arguments address, counts, for an access for which no hint
 * says that it changes no state; NULL if the machine has no hints for this size.
 */
const struct access_helper *access_unhinted(enum access kind, unsigned size);

/* The last executed instruction that lies in two pages of code, and its second page. */
struct model_straddle {
	Addr pc, end;
};
extern struct model_straddle model_straddle;

/* Returns whether both addresses are in the same page of code. */
int model_same_page(Addr a, Addr b);

#endif
