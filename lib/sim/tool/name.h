/*
 * What a process is called. As to argv[0]: the core starts a program by its path and gives it that for a name; what it was
 * called by is kept in the page of its process over the exec, and put back.
 */
#ifndef SIM_TOOL_NAME_H
#define SIM_TOOL_NAME_H

#include "pub_tool_basics.h"

/* A program is about to be executed with these arguments (of the system call's). */
void name_save(Addr argv, HChar *name);

/* A program's first LWP is about to execute its first instruction: "" leaves it alone. */
void name_restore(ThreadId tid, const HChar *name);

/* Name the process as the kernel would, after the program's file; the simulator's is there. */
void name_process(void);

#endif
