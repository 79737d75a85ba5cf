/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Signals of faults (SIGSEGV, SIGTRAP and the like) that a program sends itself. The core
 * would take them for faults of its own, ends the process for some, and loses others. So
 * they never reach the kernel: they are pending here, until the core asks the kernel for
 * pending signals.
 */
#ifndef SIM_GUARD_FORGED_H
#define SIM_GUARD_FORGED_H

#include "pub_tool_basics.h"
#include "pub_tool_vki.h"

/*
 * If the LWP is about to send its process or itself a signal of a fault, sends it, has
 * the core deliver it unless it is blocked, and returns 1. Returns 0 if the kernel must
 * do the call; so it must if the signal is for another LWP (the process has further ones
 * unless alone). Called with the core's lock, as all calls are.
 */
int forged_send(ThreadId tid, int alone);

/*
 * If the LWP is about to wait for signals, and one of them is pending here, gives the
 * call its result and returns 1; else returns 0.
 */
int forged_wait(ThreadId tid);

/*
 * Takes a signal of the set that is pending here for this LWP, and stores its data.
 * Returns the number of the signal, or 0 if no such signal is pending.
 */
Int forged_take(const vki_sigset_t *set, vki_siginfo_t *info);

/* Adds the signals that are pending here for this LWP to a set. */
void forged_add_pending(vki_sigset_t *set);

/* Forgets what is pending for an LWP that has ended (lwp 0: all, in a new process). */
void forged_forget(Int lwp);

/* The core delivers a pending signal, if there is one. */
void __wrap_vgPlain_poll_signals(ThreadId tid);

#endif
