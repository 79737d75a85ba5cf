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

struct tool {
	/* Counts of the running LWP that run.c has not yet published. */
	uint64_t count[SIM_NCOUNTERS];
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
