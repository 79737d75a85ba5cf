/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an LWP of this process does in the kernel. */
#ifndef SIM_TOOL_ACTIVITY_H
#define SIM_TOOL_ACTIVITY_H

#include "pub_tool_basics.h"

/*
 * ASLEEP: until an event. Everything else is ACTIVE, also an LWP that waits for a disk.
 */
enum activity { ACTIVITY_ACTIVE, ACTIVITY_ASLEEP, ACTIVITY_GONE };

/*
 * Returns what the LWP does, from /proc. Without /proc an LWP that exists is ASLEEP. It
 * opens a file; call activity_prepare() first where that could disturb the program.
 */
enum activity activity_of(Int lwp);

/*
 * Opens the file of an LWP, for the next activity_of(). Called by the LWP that runs,
 * before it enters the kernel: the file takes the lowest descriptor for a moment, which
 * no system call of the program may see.
 */
void activity_prepare(Int lwp);

/* The LWP has ended. */
void activity_forget(Int lwp);

/* In the child of fork(2): the files are those of the parent's LWPs. */
void activity_forked(void);

#endif
