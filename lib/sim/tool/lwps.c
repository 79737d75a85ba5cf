/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/tool/lwps.h"

#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "sim/tool/activity.h"
#include "sim/tool/core.h"
#include "sim/tool/tool.h"

struct turn turn;

void lwps_lock(void)
{
	while (__atomic_exchange_n(&turn.guard, 1, __ATOMIC_ACQUIRE))
		core_syscall(__NR_sched_yield, 0, 0, 0, 0);
}

void lwps_unlock(void)
{
	__atomic_store_n(&turn.guard, 0, __ATOMIC_RELEASE);
}

static void free_lwp(struct lwp *l)
{
	activity_forget(l->id);
	l->state = LWP_FREE;
	turn.alive--;
	if (turn.last == l)
		turn.last = NULL;
}

static struct lwp *new_lwp(Int id)
{
	unsigned i = 0;

	while (i < turn.used && turn.lwp[i].state != LWP_FREE)
		i++;
	if (i == MAX_LWPS)
		tool_die("too many threads", "16384 is the limit");
	if (i == turn.used)
		turn.used++;
	turn.lwp[i] = (struct lwp){.id = id, .state = LWP_OUT, .birth = ++turn.births};
	turn.alive++;
	if (turn.expected)
		turn.expected--;
	return &turn.lwp[i];
}

struct lwp *lwps_get(Int id)
{
	for (unsigned i = 0; i < turn.used; i++) {
		struct lwp *const l = &turn.lwp[i];

		if (l->state == LWP_FREE || l->id != id)
			continue;
		if (l->state != LWP_OUT || l->call.wakes != CALL_WAKES_JOINED)
			return l;
		/* This LWP has ended, and the kernel uses its id again. */
		free_lwp(l);
	}
	return new_lwp(id);
}

void lwps_note_wakes(void)
{
	const int has_called = turn.has_called;

	turn.has_called = 0;
	if (!has_called || turn.call.wakes == CALL_WAKES_NONE)
		return;
	turn.is_open = 1;
	for (unsigned i = 0; i < turn.used; i++) {
		struct lwp *const l = &turn.lwp[i];

		if (l->state != LWP_OUT || !call_can_wake(&turn.call, &l->call))
			continue;
		l->is_asleep = 0;
		if (turn.call.requeues)
			l->call.private_futex = 0;
	}
}

void lwps_mark_candidates(void)
{
	lwps_lock();
	for (unsigned i = 0; i < turn.used; i++) {
		struct lwp *const l = &turn.lwp[i];

		if (l->state == LWP_OUT && call_can_wake(&turn.call, &l->call))
			l->is_candidate = 1;
	}
	lwps_unlock();
}

void lwps_note_count(Long woken)
{
	turn.has_called = 0;
	if (woken <= 0)
		return;
	turn.is_open = 1;
	turn.woken += (Int)woken;
}

/* The LWP has ended, unless another LWP has noticed that before. */
static void end_lwp(struct lwp *l, ULong birth)
{
	lwps_lock();
	if (l->state == LWP_OUT && l->birth == birth)
		free_lwp(l);
	lwps_unlock();
}

/* Returns whether an LWP that has no turn is still active in the kernel. */
static int is_active(struct lwp *l, ULong decision)
{
	const ULong birth = l->birth;

	if (__atomic_load_n(&l->state, __ATOMIC_ACQUIRE) != LWP_OUT || l->is_asleep ||
	    l->seen_asleep == decision)
		return 0;
	const enum activity now = activity_of(l->id);

	/* It may have come for its turn, and sleep in the queue. */
	if (__atomic_load_n(&l->state, __ATOMIC_ACQUIRE) != LWP_OUT)
		return 0;
	if (now == ACTIVITY_GONE)
		end_lwp(l, birth);
	else if (now == ACTIVITY_ASLEEP)
		l->seen_asleep = decision;
	return now == ACTIVITY_ACTIVE;
}

/* The LWP that had the turn last comes first: what it does may wake the others. */
static int any_active(ULong decision)
{
	struct lwp *const last = turn.last;

	if (__atomic_load_n(&turn.expected, __ATOMIC_ACQUIRE) > 0 ||
	    __atomic_load_n(&turn.back, __ATOMIC_ACQUIRE) < turn.woken)
		return 1;
	if (last && is_active(last, decision))
		return 1;
	for (unsigned i = 0; i < turn.used; i++)
		if (is_active(&turn.lwp[i], decision))
			return 1;
	return 0;
}

void lwps_settle(ULong decision)
{
	enum { YIELDS = 3, SHORT_WAITS = 40, SHORT = 20, LONG = 1000, WAITS = 1000 };

	for (unsigned n = 0; n < WAITS; n++) {
		const Int seen = __atomic_load_n(&turn.arrivals, __ATOMIC_ACQUIRE);

		if (turn.decision != decision || !any_active(decision))
			return;
		if (n < YIELDS)
			core_syscall(__NR_sched_yield, 0, 0, 0, 0);
		else
			core_wait(&turn.arrivals, seen, n < SHORT_WAITS ? SHORT : LONG);
	}
}

void lwps_settled(void)
{
	for (unsigned i = 0; i < turn.used; i++) {
		turn.lwp[i].is_asleep = 1;
		turn.lwp[i].is_candidate = 0;
	}
	turn.woken = turn.back = 0;
	turn.is_open = 0;
}
