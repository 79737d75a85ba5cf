/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the program finds on its stack when it starts (sim/image/image.h). */
#ifndef SIM_TOOL_START_H
#define SIM_TOOL_START_H

#include "pub_tool_basics.h"

/*
 * Before the program's first instruction: removes what the simulator has added to its
 * environment, and gives it name as its argv[0], unless name is "".
 */
void start_program(ThreadId tid, const HChar *name);

#endif
