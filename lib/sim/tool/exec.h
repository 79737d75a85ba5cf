/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The program's execve(2). The core executes the launcher instead, with the program's
 * path as an argument, and a changed environment.
 */
#ifndef SIM_TOOL_EXEC_H
#define SIM_TOOL_EXEC_H

#include "pub_tool_basics.h"
#include "pub_tool_vki.h"

/* The program calls execve(2) with this environment; the call failed. */
void exec_begin(HChar **env);
void exec_failed(void);

/*
 * The core has taken a pending signal, which it forgets before an execve(2). The signal
 * is sent again when the signal mask is that of the program.
 */
void exec_took_signal(const vki_siginfo_t *info);

/*
 * Changes the arguments of the core's execve(2), which follows immediately, to those that
 * the launcher needs: the program's own environment; a path that names the same file in
 * the launcher, where /proc/self/exe is the launcher. A program that is traced by a
 * simulated debugger is executed itself.
 */
void exec_prepare(UWord *path, UWord *argv, UWord *env);

#endif
