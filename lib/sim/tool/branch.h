/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a block is left: branches, the ends of string instructions, lines that are entered. */
#ifndef SIM_TOOL_BRANCH_H
#define SIM_TOOL_BRANCH_H

#include "sim/tool/emit.h"

/* Before a side exit of the instruction at hand; what is pending is done. */
void branch_exit(struct block *b, const IRSB *in, const IRStmt *exit);

/* Before the end of the block. */
void branch_end(struct block *b, const IRSB *in);

#endif
