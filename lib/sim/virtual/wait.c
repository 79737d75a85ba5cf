/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/virtual/wait.h"

#include <limits.h>

#include "pub_tool_aspacemgr.h"
#include "pub_tool_tooliface.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "sim/virtual/clock.h"
#include "sim/virtual/regs.h"
#include "sim/virtual/features.h"

/* A function of the core that its headers for tools do not declare. */
extern SysRes VG_(do_syscall)(UWord number, UWord a, UWord b, UWord c, UWord d, UWord e,
			      UWord f, UWord g, UWord h);

static const Long second = 1000000000;

enum {
	MAX_THREADS = 16384, /* the core's default limit is lower */
	FUTEX_COMMAND = 127, /* the bits of a futex operation that are no flags */
	FUTEX_LOCK_PI2 = 13,
	TIMED_OUT = 110, /* ETIMEDOUT, which the core has no name for */
	ABSOLUTE = 1	 /* TIMER_ABSTIME */
};

enum unit { NONE, MILLISECONDS, TIMEVAL, TIMESPEC };

/* How a system call says how long it waits. */
struct limit {
	enum unit unit; /* NONE: it does not wait, or without a limit */
	Int reg;   /* the register with the number of ms, or the address of the time */
	Int clock; /* of an absolute time; -1: the time is relative */
	Long over; /* the result if the time is over */
};

/* The wait of an LWP. */
static struct wait {
	struct limit limit; /* unit NONE: it does not wait */
	Long ns;	    /* from the start of the wait to its limit */
	UWord given;	    /* what the register had; 0: the register was not changed */
	struct vki_timespec real; /* the limit by the kernel's clock */
} waits[MAX_THREADS];

static struct limit futex_limit(UInt operation)
{
	struct limit l = {TIMESPEC, REG(R10), -1, -TIMED_OUT};

	switch (operation & FUTEX_COMMAND) {
	case VKI_FUTEX_WAIT:
		return l;
	case VKI_FUTEX_LOCK_PI:
		l.clock = VKI_CLOCK_REALTIME;
		return l;
	case VKI_FUTEX_WAIT_BITSET:
	case VKI_FUTEX_WAIT_REQUEUE_PI:
	case FUTEX_LOCK_PI2:
		l.clock = operation & VKI_FUTEX_CLOCK_REALTIME ? VKI_CLOCK_REALTIME
							       : VKI_CLOCK_MONOTONIC;
		return l;
	default:
		return (struct limit){.unit = NONE};
	}
}

static struct limit limit_of(ThreadId tid)
{
	switch (regs_get(tid, REG(RAX))) {
	case __NR_nanosleep:
		return (struct limit){TIMESPEC, REG(RDI), -1, 0};
	case __NR_clock_nanosleep:
		return (struct limit){TIMESPEC, REG(RDX),
				      regs_get(tid, REG(RSI)) & ABSOLUTE
					      ? (Int)regs_get(tid, REG(RDI))
					      : -1,
				      0};
	case __NR_futex:
		return futex_limit((UInt)regs_get(tid, REG(RSI)));
	case __NR_poll:
		return (struct limit){MILLISECONDS, REG(RDX), -1, 0};
	case __NR_epoll_wait:
	case __NR_epoll_pwait:
		return (struct limit){MILLISECONDS, REG(R10), -1, 0};
	case __NR_select:
		return (struct limit){TIMEVAL, REG(R8), -1, 0};
	case __NR_pselect6:
		return (struct limit){TIMESPEC, REG(R8), -1, 0};
	case __NR_ppoll:
		return (struct limit){TIMESPEC, REG(RDX), -1, 0};
	case __NR_rt_sigtimedwait:
		return (struct limit){TIMESPEC, REG(RDX), -1, -VKI_EAGAIN};
	default:
		return (struct limit){.unit = NONE};
	}
}

/* Stores in *ns the time that a register's value means. Returns 0: there is none. */
static int read_time(enum unit unit, UWord value, Long *ns)
{
	const Long *const t = (const Long *)value; /* struct timeval or timespec */

	if (unit == MILLISECONDS) {
		*ns = (Long)(Int)value * 1000000;
		return *ns >= 0;
	}
	if (unit == NONE ||
	    !VG_(am_is_valid_for_client)(value, 2 * sizeof *t, VKI_PROT_READ))
		return 0;
	/* A limit of some 68 years has no end. */
	if (t[0] < 0 || t[0] > INT_MAX)
		return 0;
	*ns = t[0] * second + t[1] * (unit == TIMEVAL ? 1000 : 1);
	return 1;
}

/* Replaces the absolute time of a wait, which is ns from now, by one of the kernel's. */
static void replace(ThreadId tid, struct wait *w)
{
	const Int reg = w->limit.reg;

	VG_(do_syscall)
	(__NR_clock_gettime, (UWord)w->limit.clock, (UWord)&w->real, 0, 0, 0, 0, 0, 0);
	const Long until = w->real.tv_sec * second + w->real.tv_nsec + w->ns;
	w->real = (struct vki_timespec){until / second, until % second};
	w->given = regs_get(tid, reg);
	regs_set(tid, reg, (UWord)&w->real);
}

/* Gives the register of a replaced time its value back. */
static void restore(ThreadId tid)
{
	struct wait *const w = &waits[tid];

	if (w->given && regs_get(tid, w->limit.reg) == (UWord)&w->real)
		regs_set(tid, w->limit.reg, w->given);
	w->given = 0;
}

void wait_begin(ThreadId tid)
{
	struct wait *const w = &waits[tid];

	if (!features_level())
		return;
	/* The core makes a call again that a signal without a handler has interrupted. */
	restore(tid);
	w->limit = limit_of(tid);
	if (!read_time(w->limit.unit, regs_get(tid, w->limit.reg), &w->ns)) {
		w->limit.unit = NONE;
		return;
	}
	if (w->limit.clock < 0)
		return;
	w->ns -= clock_now(w->limit.clock);
	w->ns = w->ns < 0 ? 0 : w->ns;
	replace(tid, w);
}

void wait_end(ThreadId tid)
{
	struct wait *const w = &waits[tid];

	if (!features_level())
		return;
	restore(tid);
	if (w->limit.unit != NONE && (Long)regs_get(tid, REG(RAX)) == w->limit.over)
		clock_pass((ULong)w->ns);
	w->limit.unit = NONE;
}

/* The core does not return from a system call that a signal interrupts. */
static void signal_comes(ThreadId tid, Int signal, Bool alt_stack)
{
	(void)signal;
	(void)alt_stack;
	if (features_level())
		restore(tid);
}

void wait_set_up(void)
{
	VG_(track_pre_deliver_signal)(signal_comes);
}
