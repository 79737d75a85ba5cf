/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Restores loads that VEX drops. VEX drops a load whose value nothing uses, unless it
 * must keep all registers exact at each instruction. Exact registers make slow code, so
 * only blocks that lack a load are translated again with them.
 */
#ifndef SIM_TOOL_EXACT_H
#define SIM_TOOL_EXACT_H

#include "sim/tool/tool.h"

#include "pub_tool_tooliface.h"

/*
 * Returns whether the block at the program's address must be translated again with exact
 * registers; 0 if it just was.
 */
int exact_wanted(const IRSB *in, Addr address);

/* Returns a block that only has the code at start translated with exact registers. */
IRSB *exact_block(const IRSB *in, Addr address, Addr start);

#endif
