/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loads that VEX would drop. It drops a load whose value nothing uses, unless it has to keep
 * all registers right at each instruction; that makes slow code, so it is asked for only of
 * blocks in which a load is missing.
 */
#ifndef SIM_TOOL_EXACT_H
#define SIM_TOOL_EXACT_H

#include "sim/tool/tool.h"

#include "pub_tool_tooliface.h"

/*
 * Does this block, which the program knows by address, have to be made again with all
 * registers right? Never of one that was.
 */
int exact_wanted(const IRSB *in, Addr address);

/* A block that does nothing but have itself made again so; its code is at start. */
IRSB *exact_block(const IRSB *in, Addr address, Addr start);

#endif
