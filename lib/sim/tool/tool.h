/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state that all parts of the Valgrind tool share. */
#ifndef SIM_TOOL_TOOL_H
#define SIM_TOOL_TOOL_H

#include "pub_tool_basics.h"

#include <stdint.h>

#include "sim/shared/machine.h"
#include "sim_counters.h"

/* Marks a parameter of a callback that the callback does not use. */
#define UNUSED __attribute__((unused))

/*
 * Counters in the shadow registers of each thread, which other tools use for other
 * purposes: generated code reaches them by short addresses. Two counters share each of
 * the first words; d1_rd is counted as load and d1_wr as store. The words are 0 whenever
 * the program stops, as the core saves and copies these registers with the others.
 */
struct tool_words {
	uint64_t insn_load, store_i1_ref;
	uint64_t sched16; /* a whole word */
};

/*
 * No field overflows. The core stops the program after at most 100,000 blocks that check
 * for events, and all blocks check but those that a direct jump forward leads to. Blocks
 * that are entered without a check lie at rising addresses. Where they may leave a region
 * for a further one, generated code settles the words if the last bit of a field is set.
 * So a field grows between two such places, or stops of the program, by at most what
 * 100,000 regions hold: less than 2^31, with two counts (cmpsb) for each byte of a
 * region, and for each of the 1,000 bytes that its last block may have beyond it.
 */
enum { TOOL_FIELD_BITS = 32, TOOL_REGION = 8192 };
#define TOOL_LOW       UINT64_C(0xffffffff)
#define TOOL_LAST_BITS UINT64_C(0x8000000080000000)

/*
 * The tables in which generated code counts conditional branches: the exit of the code is
 * the way that is not taken; a branch that is not taken enters another line too.
 */
enum { TOOL_INVERTED = 1, TOOL_CROSSING = 2, TOOL_BRANCHES = 4 };

struct tool {
	/* Counts of the running LWP that run.c has not yet published. */
	uint64_t count[SIM_NCOUNTERS];
	/*
	 * Not yet in count: branches, by state of the predictor * 2 + whether they
	 * exit.
	 */
	uint64_t branch[TOOL_BRANCHES][8];
	uint64_t requested; /* bit n: counter n is requested */
	unsigned parts;	    /* simulated parts: SIM_CACHES ... */
	int sampling;	    /* number of open samples */
	int needs_loads;    /* every load must be seen: VEX may drop none */
	const struct machine *machine;
	const HChar *pages; /* path of the pages file */
};

extern struct tool tool;

/* Is this counter requested? */
static inline int tool_requested(enum sim_counter c)
{
	return tool.requested >> c & 1;
}

/* Adds to tool.count what tid, which runs, has counted in words and tables. */
void tool_settle(ThreadId tid);

/*
 * Discards all translated code, so that the core translates it anew. Called in a system
 * call or client request, when no translated code runs.
 */
void tool_retranslate(void);

/*
 * Writes "cpcsim: WHAT: WHICH" to the standard error, never to Valgrind's log file, and
 * ends the process with status 1.
 */
void tool_die(const HChar *what, const HChar *which) __attribute__((noreturn));

#endif
