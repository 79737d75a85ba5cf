/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The order in which the LWPs of the program take turns. It depends on the program alone,
 * so that the program has the same counts in every run, while the core's own lock gives
 * turns to whom the kernel selects.
 *
 * LWPs have their turns in the order in which they were created. An LWP that enters a
 * system call keeps its turn unless the call sleeps. Nothing is decided while an LWP is
 * active in the kernel: its call may wake another LWP, which then is a candidate in every
 * run, however fast the kernel is.
 */
#ifndef SIM_TOOL_TURN_H
#define SIM_TOOL_TURN_H

#include "pub_tool_basics.h"

/* Registers the hooks for the creation and the end of threads with the core. */
void turn_set_up(void);

/* The core's lock, and the functions of the core that tell why the lock is released. */
struct sched_lock;
struct sched_lock *__wrap_vgModuleLocal_create_sched_lock(void);
void __wrap_vgModuleLocal_destroy_sched_lock(struct sched_lock *p);
int __wrap_vgModuleLocal_get_sched_lock_owner(struct sched_lock *p);
void __wrap_vgModuleLocal_acquire_sched_lock(struct sched_lock *p);
void __wrap_vgModuleLocal_release_sched_lock(struct sched_lock *p);

/* Returns whether the running LWP is the only LWP of its process. */
int turn_is_alone(void);

/*
 * Lets the core make a system call of the program. Returns whether the LWP has given its
 * turn to another by sched_yield(2).
 */
int turn_syscall(ThreadId tid, UInt trc);

#endif
