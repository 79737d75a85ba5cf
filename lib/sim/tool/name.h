/*
 * The name of a process, and argv[0] of its program. The core starts a program with its
 * path as argv[0]; the page of the process keeps the original argv[0] during the exec.
 */
#ifndef SIM_TOOL_NAME_H
#define SIM_TOOL_NAME_H

#include "pub_tool_basics.h"

/*
 * Before execve(2) with these arguments: stores argv[0] in name, PAGES_NAME bytes; "" if
 * it is longer or unreadable.
 */
void name_save(Addr argv, HChar *name);

/* Before the program's first instruction: makes name its argv[0], unless name is "". */
void name_restore(ThreadId tid, const HChar *name);

/* Sets the name of the process, the simulator's so far, to that of the program's file. */
void name_process(void);

#endif
