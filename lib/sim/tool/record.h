/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes generated code count events by instruction, and record them (sim/record/). */
#ifndef SIM_TOOL_RECORD_H
#define SIM_TOOL_RECORD_H

#include "sim/tool/emit.h"

/* Opens the records file. Without this call, the others emit and change nothing. */
void record_open(const HChar *path);

/* The current instruction ends: notes what it has added to the block's increments. */
void record_instruction(struct block *b);

/*
 * A jump, call or return leads to an address. Returns whether the code has been emitted
 * that also reports the branch to the model.
 */
int record_jump(struct block *b, IRExpr *to);

/*
 * Called around changes of tool.count for no instruction in particular, which count for
 * the site at pc; for an increment of one counter.
 */
void record_begin(Addr pc);
void record_end(void);
void record_count(enum sim_counter c, Addr pc);

#endif
