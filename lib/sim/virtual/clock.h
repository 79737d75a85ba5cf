/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The time that a program sees that must run the same everywhere: a nanosecond passes
 * with each instruction of the process, and waits pass as long as the program asked for.
 */
#ifndef SIM_VIRTUAL_CLOCK_H
#define SIM_VIRTUAL_CLOCK_H

#include <stdint.h>

#include "libvex_guest_amd64.h"
#include "pub_tool_basics.h"

/* Returns the time of a clock of clock_gettime(2) in ns, or -1 if it is unknown. */
Long clock_now(Int clock);

/*
 * As clock_now(), for the system calls by which a program reads a clock. Each takes a
 * microsecond of the program's time, so that a loop that waits for a time ends soon.
 */
Long clock_read(Int clock);

/*
 * From now on the process has executed *instructions; *passed is the time that has passed
 * without instructions, in ns, which clock_pass() changes.
 */
void clock_use(const uint64_t *instructions, uint64_t *passed);

/* Returns the time that has passed in this process, in ns. */
uint64_t clock_passed(void);

/* Lets this time pass, in ns. */
void clock_pass(ULong ns);

/*
 * The helper by which generated code reads the time-stamp counter, which then counts
 * nanoseconds. A program may read the counter many times without a system call, and each
 * read takes some nanoseconds, so that the counter never stands still.
 */
ULong __wrap_amd64g_dirtyhelper_RDTSC(void);

/* The same for RDTSCP, whose CPU is then always 0. */
void __wrap_amd64g_dirtyhelper_RDTSCP(VexGuestAMD64State *regs);

#endif
