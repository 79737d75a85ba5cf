/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The core's table of threads, which grows. The core fills all of it when it starts: 7 KB
 * for each thread that a program may have, which for thousands of them takes longer than
 * a short program runs. Here it fills a few, and the others as they are needed.
 */
#ifndef SIM_GUARD_THREADS_H
#define SIM_GUARD_THREADS_H

#include "pub_tool_basics.h"

/*
 * At its first system call the core allocates a table of calls, with an entry for each
 * thread that there may be. Call the first of these functions, with the number of the
 * system call, before the core makes it for the program, and the second one after it. The
 * second call may be left out if the core jumps out of the system call.
 */
void threads_before_syscall(UWord number);
void threads_after_syscall(void);

/* Functions of the core, replaced by the linker's option --wrap. */
ThreadId __wrap_vgPlain_scheduler_init_phase1(void);
ThreadId __wrap_vgPlain_alloc_ThreadState(void);

#endif
