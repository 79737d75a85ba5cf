/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a system call of the program affects the order of its LWPs. */
#ifndef SIM_TOOL_CALL_H
#define SIM_TOOL_CALL_H

#include "pub_tool_basics.h"

/* Which sleeping LWPs a call can wake. */
enum call_wakes {
	CALL_WAKES_NONE,
	CALL_WAKES_FUTEX,  /* those that sleep on its futex */
	CALL_WAKES_JOINED, /* an LWP that waits for the end of this LWP */
	CALL_WAKES_ALL
};

struct call {
	int blocks;   /* it can sleep until an event */
	int yields;   /* it gives the processor to other LWPs */
	int is_futex; /* it sleeps on a futex, or wakes LWPs that do */
	int counts;   /* its result is the number of LWPs that it has woken */
	int requeues; /* LWPs that sleep on its futex may then sleep on another */
	/* The futex that only this process can use, or 0: any futex. */
	Addr private_futex;
	enum call_wakes wakes;
};

/* Describes a call with these arguments; of an unknown call everything is assumed. */
struct call call_describe(UWord number, UWord first, UWord second);

/* Describes the end of an LWP. */
struct call call_of_end(void);

/* Can the first call wake an LWP that sleeps in the second? */
int call_can_wake(const struct call *call, const struct call *sleeper);

#endif
