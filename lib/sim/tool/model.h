/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The model as the simulated program drives it. */
#ifndef SIM_TOOL_MODEL_H
#define SIM_TOOL_MODEL_H

#include "sim/tool/tool.h"

struct sim;
extern struct sim model_sim;

enum access { ACCESS_FETCH, ACCESS_LOAD, ACCESS_STORE };

/*
 * The aligned 8-byte words in which the string instruction at hand last read (each of its
 * two operands) and wrote: a word counts once.
 */
struct model_string {
	uint64_t word[3];
};
#define MODEL_NO_STRING ((struct model_string){{~0ULL, ~0ULL, ~0ULL}})
extern struct model_string model_string;

/* NULL: there is none of this name. */
const struct machine *model_machine(const HChar *name);

/* A cold tool.machine. */
void model_open(void);

/* Count these too, and simulate all that they depend on. -1: no memory. */
int model_request(uint64_t mask);

/* Does it matter which addresses are accessed? */
int model_needs_addresses(void);

/* -1: no memory. */
int model_switch_cpu(unsigned cpu);

/* What others did to this CPU, to tool.count. */
void model_collect_external(unsigned cpu);

/* The address of a line of L1I. */
Addr model_line(Addr addr);

/* The helper for a sequence of accesses; their sizes are its last argument's bit fields. */
enum { MODEL_SIZE_BITS = 16 };
struct model_helper {
	const HChar *name;
	void *fn;
};
const struct model_helper *model_helper(const enum access *kind, unsigned n);

#endif
