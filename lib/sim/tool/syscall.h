/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The system calls of the program: which the simulator answers, delays, or notes; and its
 * client requests.
 */
#ifndef SIM_TOOL_SYSCALL_H
#define SIM_TOOL_SYSCALL_H

#include "pub_tool_basics.h"

/* Registers the hooks around system calls with the core. */
void syscall_set_up(void);

/* Registers the handler of the client requests of sim/shared/requests.h. */
void request_set_up(void);

/* The core's function that makes a system call of the program. */
void __wrap_vgPlain_client_syscall(ThreadId tid, UInt trc);

#endif
