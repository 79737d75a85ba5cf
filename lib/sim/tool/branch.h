/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Instruments the exits of a block: branches, ends of string instructions, new lines. */
#ifndef SIM_TOOL_BRANCH_H
#define SIM_TOOL_BRANCH_H

#include "sim/tool/emit.h"

/* Called at the start of the block. */
void branch_begin(struct block *b, const IRSB *in, Addr start);

/* Called before a side exit of the current instruction. Emits all that is pending. */
void branch_exit(struct block *b, const IRSB *in, const IRStmt *exit);

/* Called before the end of the block. */
void branch_end(struct block *b, const IRSB *in);

#endif
