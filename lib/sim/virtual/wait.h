/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System calls that wait up to a time, in a program that must run the same everywhere and
 * has a clock of its own (sim/virtual/clock.h). The kernel knows only its own clocks: an
 * absolute time is replaced by the time of the kernel's clock that is equally far away.
 * If the wait ends because its time is over, the time has passed on the program's clock.
 */
#ifndef SIM_VIRTUAL_WAIT_H
#define SIM_VIRTUAL_WAIT_H

#include "pub_tool_basics.h"

/* Registers the hook for signals with the core. */
void wait_set_up(void);

/* The LWP is about to make a system call; the call has ended. */
void wait_begin(ThreadId tid);
void wait_end(ThreadId tid);

/*
 * After wait_begin(): returns 1 if the LWP sleeps, or waits for a futex, with a limit,
 * and neither is the limit reached nor has the futex changed. The call is then
 * sched_yield(2) until one of these functions is called again.
 */
int wait_goes_on(ThreadId tid);

/* Makes the call of the LWP again what it was, so that the kernel ends the wait. */
void wait_in_kernel(ThreadId tid);

/* Returns 1 if the wait has ended without the kernel: its result is stored. */
int wait_is_over(ThreadId tid);

#endif
