/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The cycles that a block takes by the machine's units, from its intermediate code. */
#ifndef SIM_TOOL_SCHEDULE_H
#define SIM_TOOL_SCHEDULE_H

#include "sim/tool/emit.h"

/* Prepares for tool.machine. */
void schedule_set_up(void);

/*
 * Emits code that counts the time of the block in, if it is requested; it is recorded
 * for the first instruction, at b->pc. The instructions follow: the current instruction
 * of b, with its statements from (inclusive) to end, is issued as so many instructions.
 * schedule_end() completes the code. String instructions with rep are left out: their
 * iterations are blocks of their own.
 */
void schedule_begin(struct block *b, const IRSB *in);
void schedule_insn(const struct block *b, unsigned issued, int from, int end);
void schedule_end(void);

/* Counts the issue of a string instruction with rep, which ends if when is 1. */
void schedule_string_end(struct block *b, IRExpr *when);

/* The time of a load, and of a store, of a string instruction: for CTR_SCHED16. */
extern unsigned schedule_string_word[2];

#endif
