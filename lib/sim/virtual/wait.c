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
#include "sim/virtual/timer.h"

/* A function of the core that its headers for tools do not declare. */
extern SysRes VG_(do_syscall)(UWord number, UWord a, UWord b, UWord c, UWord d, UWord e,
			      UWord f, UWord g, UWord h);

static const Long second = 1000000000;

enum {
	MAX_THREADS = 16384, /* the core's default limit is lower */
	FUTEX_COMMAND = 127, /* the bits of a futex operation that are no flags */
	FUTEX_LOCK_PI2 = 13,
	TIMED_OUT = 110, /* ETIMEDOUT, which the core has no name for */
	ABSOLUTE = 1,	 /* TIMER_ABSTIME */
	CPU_TIME = 2,	 /* CLOCK_PROCESS_CPUTIME_ID */
	NEVER = 1	 /* a result that no call has */
};

enum unit { NONE, MILLISECONDS, TIMEVAL, TIMESPEC, ITIMERSPEC };

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
	ULong end;	    /* the limit by clock_passed() */
	UWord call;	    /* the number of a call that is sched_yield(2) meanwhile; 0 */
	ULong seen;	    /* clock_passed() at the last look */
	ULong slept;	    /* ns that the LWP has slept in the kernel since then */
	int is_over;
	UWord given; /* what the register had; 0: the register was not changed */
	/* The limit by the kernel's clock: an interval, and the time. */
	struct vki_timespec real[2];
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

/* Stores in *ns the time that a register's value means. Returns 0: there is none. */
static int read_time(enum unit unit, UWord value, Long *ns)
{
	const Long *t = (const Long *)value; /* struct timeval, timespec or itimerspec */
	const Int longs = unit == ITIMERSPEC ? 4 : 2;

	if (unit == MILLISECONDS) {
		*ns = (Long)(Int)value * 1000000;
		return *ns >= 0;
	}
	if (unit == NONE ||
	    !VG_(am_is_valid_for_client)(value, longs * sizeof *t, VKI_PROT_READ))
		return 0;
	t += longs - 2;
	/* A limit of some 68 years has no end. The kernel refuses wrong nanoseconds. */
	if (t[0] < 0 || t[0] > INT_MAX || t[1] < 0 || (unit != TIMEVAL && t[1] >= second))
		return 0;
	*ns = t[0] * second + t[1] * (unit == TIMEVAL ? 1000 : 1);
	return 1;
}

/*
 * Guesses the clock of a timer that another program has created, by a time of the clock:
 * the program's clocks are far apart.
 */
static Int guess_clock(Long ns)
{
	static const Long years = 1000000000, hours = 50000; /* seconds */

	return ns < hours * second   ? CPU_TIME
	       : ns < years * second ? VKI_CLOCK_MONOTONIC
				     : VKI_CLOCK_REALTIME;
}

/* Returns whether the program sees another clock than the kernel's. */
static int is_virtual(Int clock)
{
	return clock_now(clock) >= 0 && clock_now(clock) != clock_now(CPU_TIME);
}

/*
 * The first expiration of a timer with an absolute time. A timer by CPU time is the
 * kernel's.
 */
static struct limit timer_limit(ThreadId tid)
{
	struct limit l = {ITIMERSPEC, REG(RDX), -1, NEVER};
	Long ns;

	if (!(regs_get(tid, REG(RSI)) & ABSOLUTE) ||
	    !read_time(l.unit, regs_get(tid, l.reg), &ns))
		return (struct limit){.unit = NONE};
	l.clock =
		timer_clock((UInt)regs_get(tid, REG(RAX)), (Int)regs_get(tid, REG(RDI)));
	l.clock = l.clock == -1 ? guess_clock(ns) : l.clock;
	return is_virtual(l.clock) ? l : (struct limit){.unit = NONE};
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
	case __NR_timer_settime:
	case __NR_timerfd_settime:
		return timer_limit(tid);
	case __NR_rt_sigtimedwait:
		return (struct limit){TIMESPEC, REG(RDX), -1, -VKI_EAGAIN};
	default:
		return (struct limit){.unit = NONE};
	}
}

/* Returns the address that the register of a replaced time has. */
static UWord address_of(const struct wait *w)
{
	return (UWord)(w->limit.unit == ITIMERSPEC ? &w->real[0] : &w->real[1]);
}

/* Replaces the absolute time of a call, which is ns from now, by one of the kernel's. */
static void replace(ThreadId tid, struct wait *w, Long ns)
{
	struct vki_timespec *const real = &w->real[1];
	const Int reg = w->limit.reg;

	VG_(do_syscall)
	(__NR_clock_gettime, (UWord)w->limit.clock, (UWord)real, 0, 0, 0, 0, 0, 0);
	const Long until = real->tv_sec * second + real->tv_nsec + ns;
	*real = (struct vki_timespec){until / second, until % second};
	w->given = regs_get(tid, reg);
	if (w->limit.unit == ITIMERSPEC)
		w->real[0] = *(const struct vki_timespec *)w->given;
	regs_set(tid, reg, address_of(w));
}

/* Gives the registers of a wait their values back. */
static void restore(ThreadId tid)
{
	struct wait *const w = &waits[tid];

	if (w->given && regs_get(tid, w->limit.reg) == address_of(w))
		regs_set(tid, w->limit.reg, w->given);
	if (w->call && regs_get(tid, REG(RAX)) == __NR_sched_yield)
		regs_set(tid, REG(RAX), w->call);
	w->given = w->call = 0;
}

void wait_begin(ThreadId tid)
{
	struct wait *const w = &waits[tid];
	Long ns;

	if (!features_level())
		return;
	/* The core makes a call again that a signal without a handler has interrupted. */
	restore(tid);
	w->is_over = 0;
	w->limit = limit_of(tid);
	if (!read_time(w->limit.unit, regs_get(tid, w->limit.reg), &ns)) {
		w->limit.unit = NONE;
		return;
	}
	if (w->limit.clock >= 0) {
		ns -= clock_now(w->limit.clock);
		ns = ns < 0 ? 0 : ns;
		replace(tid, w, ns);
	}
	w->end = clock_passed() + (ULong)ns;
}

/* Lets the time pass that is left until the limit of a wait. */
static void pass(const struct wait *w)
{
	const ULong now = clock_passed();

	if (now < w->end)
		clock_pass(w->end - now);
}

void wait_end(ThreadId tid)
{
	struct wait *const w = &waits[tid];

	if (!features_level())
		return;
	restore(tid);
	if (w->limit.unit != NONE && (Long)regs_get(tid, REG(RAX)) == w->limit.over)
		pass(w);
	w->limit.unit = NONE;
}

/* Has the futex of a wait another value than the LWP expects? */
static int has_changed(ThreadId tid)
{
	const Addr futex = regs_get(tid, REG(RDI));

	return !VG_(am_is_valid_for_client)(futex, sizeof(UInt), VKI_PROT_READ) ||
	       *(const volatile UInt *)futex != (UInt)regs_get(tid, REG(RDX));
}

/* Can a wait with this call end without the kernel? */
static int is_simple(ThreadId tid, UWord call)
{
	const UInt command = (UInt)regs_get(tid, REG(RSI)) & FUTEX_COMMAND;

	if (call == __NR_futex)
		return command == VKI_FUTEX_WAIT || command == VKI_FUTEX_WAIT_BITSET;
	return call == __NR_nanosleep || call == __NR_clock_nanosleep;
}

/* Ends a wait with this result. */
static void stop(ThreadId tid, Long result)
{
	struct wait *const w = &waits[tid];

	w->call = 0;
	restore(tid);
	regs_set(tid, REG(RAX), (UWord)result);
	w->limit.unit = NONE;
	w->is_over = 1;
}

void wait_in_kernel(ThreadId tid)
{
	struct wait *const w = &waits[tid];

	regs_set(tid, REG(RAX), w->call);
	w->call = 0;
}

/* Of the LWPs that wait by turns, has this one the nearest limit? */
static int is_nearest(ThreadId tid)
{
	for (ThreadId i = 1; i < MAX_THREADS; i++)
		if (waits[i].call && (waits[i].end < waits[tid].end ||
				      (waits[i].end == waits[tid].end && i < tid)))
			return 0;
	return 1;
}

/*
 * Sleeps for a moment, so that an LWP which the kernel wakes can have a turn. Returns
 * whether the LWP has slept until its limit.
 */
static int nap(struct wait *w, ULong now)
{
	const ULong left = w->end - now - w->slept;
	const struct vki_timespec t = {0, left < 1000000 ? (long)left : 1000000};

	VG_(do_syscall)(__NR_nanosleep, (UWord)&t, 0, 0, 0, 0, 0, 0, 0);
	w->slept += (ULong)t.tv_nsec;
	return now + w->slept >= w->end;
}

int wait_goes_on(ThreadId tid)
{
	struct wait *const w = &waits[tid];
	const UWord call = w->call ? w->call : regs_get(tid, REG(RAX));

	if (!features_level() || w->limit.unit != TIMESPEC || !is_simple(tid, call))
		return 0;
	if (call == __NR_futex && has_changed(tid)) {
		stop(tid, -VKI_EAGAIN);
		return 0;
	}
	const ULong now = clock_passed();
	if (now >= w->end) {
		stop(tid, w->limit.over);
		return 0;
	}
	/* If nothing was executed since the last look, all LWPs wait. */
	if (!w->call || w->seen != now) {
		w->slept = 0;
	} else if (is_nearest(tid) && nap(w, now)) {
		pass(w);
		stop(tid, w->limit.over);
		return 0;
	}
	w->seen = now;
	w->call = call;
	regs_set(tid, REG(RAX), __NR_sched_yield);
	return 1;
}

int wait_is_over(ThreadId tid)
{
	return features_level() && waits[tid].is_over;
}

/*
 * The core does not return from a system call that a signal interrupts. A signal may also
 * come when sched_yield(2) has ended; the wait then is interrupted.
 */
static void signal_comes(ThreadId tid, Int signal, Bool alt_stack)
{
	struct wait *const w = &waits[tid];

	(void)signal;
	(void)alt_stack;
	if (!features_level())
		return;
	if (w->call && regs_get(tid, REG(RAX)) != __NR_sched_yield)
		regs_set(tid, REG(RAX), (UWord) - (Long)VKI_EINTR);
	restore(tid);
}

void wait_set_up(void)
{
	VG_(track_pre_deliver_signal)(signal_comes);
}
