/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System calls whose results depend on the machine, the run or the kernel, and which the
 * simulator answers itself if the program must run the same everywhere: clocks, random
 * numbers, CPUs, memory, the kernel's name, resources.
 */
#ifndef SIM_VIRTUAL_ANSWER_H
#define SIM_VIRTUAL_ANSWER_H

#include "pub_tool_basics.h"

/*
 * Answers the system call that the LWP is about to make. Returns 1, or 0 if the kernel
 * must answer it.
 */
int answer_syscall(ThreadId tid);

/* The kernel has answered a system call: clears what it measured of a child. */
void answer_ended(UInt number, const UWord *args);

#endif
