/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The name of a process, and argv[0] of the program that it executes. The core starts a
 * program with its path as argv[0]; the page of the process keeps the original argv[0]
 * during the exec (sim/tool/start.h).
 */
#ifndef SIM_VIRTUAL_NAME_H
#define SIM_VIRTUAL_NAME_H

#include "pub_tool_basics.h"

/*
 * Stores argv[0] of an execve(2) in name, which has PAGES_NAME bytes; "" if argv[0] is
 * longer or unreadable.
 */
void name_save(Addr argv, HChar *name);

/* Names the process after the program's file, in place of the simulator's. */
void name_process(void);

#endif
