/* SPDX-License-Identifier: GPL-2.0-or-later */
/* System calls of the program that would make Valgrind's core end the process. */
#ifndef SIM_GUARD_REFUSE_H
#define SIM_GUARD_REFUSE_H

#include "pub_tool_basics.h"

enum guard {
	GUARD_PASSED, /* the core can make the call */
	GUARD_FAILED, /* the call has failed with EINVAL */
	GUARD_REFUSED /* the same, because this way to make a process is not simulated */
};

/* Gives the system call that the LWP is about to make a result, if the core must not. */
enum guard guard_syscall(ThreadId tid);

#endif
