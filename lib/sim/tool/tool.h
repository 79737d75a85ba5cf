/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the parts of the simulator share. */
#ifndef SIM_TOOL_TOOL_H
#define SIM_TOOL_TOOL_H

#include "pub_tool_basics.h"

#include <stdint.h>

#include "sim/shared/machine.h"
#include "sim_counters.h"

/* A parameter that the core gives, and that does not matter here. */
#define UNUSED __attribute__((unused))

struct tool {
	/* Of the LWP that runs, since it was last put down (tool_run.c takes them). */
	uint64_t count[SIM_NCOUNTERS];
	uint64_t requested; /* bit n: counter n is wanted */
	unsigned parts;	    /* SIM_CACHES ... that are simulated */
	int sampling;	    /* samples that are open */
	int needs_loads;    /* addresses of loads matter: none may be optimised away */
	const struct machine *machine;
	const HChar *pages; /* path of the pages file */
	const HChar *name;  /* of the machine */
};

extern struct tool tool;

static inline int tool_requested(enum sim_counter c)
{
	return tool.requested >> c & 1;
}

/* Translate all code anew. */
void tool_retranslate(void);

/* Say why on the standard error, which log files do not take, and end the process. */
void tool_die(const HChar *what, const HChar *which) __attribute__((noreturn));

#endif
