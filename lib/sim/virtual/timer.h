/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The clocks of the program's timers: a call that sets a timer to an absolute time does
 * not say which clock the time is of.
 */
#ifndef SIM_VIRTUAL_TIMER_H
#define SIM_VIRTUAL_TIMER_H

#include "pub_tool_basics.h"

/* Notes what a system call that has succeeded with this result has done to timers. */
void timer_note(UInt number, const UWord *args, UWord result);

/*
 * Returns the clock of the timer that timer_settime(2) or timerfd_settime(2) sets, or -1
 * if it is unknown: the timer was created by another program, or too many are in use.
 */
Int timer_clock(UInt number, Int id);

#endif
