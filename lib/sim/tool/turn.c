/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/tool/turn.h"

#include "pub_tool_libcproc.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_tooliface.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "sim/guard/forged.h"
#include "sim/guard/threads.h"
#include "sim/tool/activity.h"
#include "sim/tool/core.h"
#include "sim/tool/lwps.h"
#include "sim/tool/model.h"
#include "sim/tool/quantum.h"
#include "sim/tool/run.h"
#include "sim/tool/tool.h"
#include "sim/virtual/regs.h"

/* ---- Who is next. All with the lock. */

/* Returns the queued LWP that was created next after the last one that ran, or NULL. */
static struct lwp *successor(void)
{
	struct lwp *after = NULL, *first = NULL;

	for (unsigned i = 0; i < turn.used; i++) {
		struct lwp *const l = &turn.lwp[i];

		if (l->state != LWP_QUEUED)
			continue;
		if (!first || l->birth < first->birth)
			first = l;
		if (l->birth > turn.last_birth && (!after || l->birth < after->birth))
			after = l;
	}
	return after ? after : first;
}

static void take(struct lwp *l)
{
	turn.heir = NULL;
	turn.holder = l;
	__atomic_store_n(&l->state, LWP_RUNNING, __ATOMIC_RELEASE);
}

static void alert(struct lwp *l)
{
	__atomic_store_n(&l->go, 1, __ATOMIC_RELEASE);
}

static void appoint(struct lwp *l)
{
	turn.heir = l;
	turn.decision++;
}

/* ---- Waiting for a turn */

/*
 * Called by the heir. Gives the turn to the next LWP once nothing is active. Returns
 * whether that is the heir itself. The LWP that had the turn before may come back
 * meanwhile and keep it.
 */
static int decide(struct lwp *me)
{
	struct lwp *next = NULL;

	for (;;) {
		lwps_lock();
		const ULong decision = turn.decision;
		const int is_heir = turn.heir == me;
		lwps_unlock();
		if (!is_heir)
			return 0;
		lwps_settle(decision);
		lwps_lock();
		if (turn.heir == me && turn.decision == decision)
			break;
		lwps_unlock();
	}
	lwps_settled();
	next = successor();
	if (next->birth != turn.last_birth)
		quantum_begin();
	take(next);
	if (next != me)
		alert(next);
	lwps_unlock();
	if (next != me)
		core_wake(&next->go);
	return next == me;
}

static void wait_turn(struct lwp *me)
{
	for (;;) {
		while (!__atomic_exchange_n(&me->go, 0, __ATOMIC_ACQUIRE))
			core_wait(&me->go, 0, 0);
		if (__atomic_load_n(&me->state, __ATOMIC_ACQUIRE) == LWP_RUNNING)
			return;
		if (decide(me))
			return;
	}
}

/* The LWP comes back from a system call, or for its first turn. Gives up the lock. */
static void arrive(struct lwp *me)
{
	__atomic_add_fetch(&turn.back, me->is_candidate, __ATOMIC_RELEASE);
	me->is_candidate = 0;
	if (!turn.holder && turn.last == me) {
		take(me);
		lwps_unlock();
		return;
	}
	const int is_heir = !turn.holder && !turn.heir;
	__atomic_store_n(&me->state, LWP_QUEUED, __ATOMIC_RELEASE);
	if (is_heir)
		appoint(me);
	__atomic_add_fetch(&turn.arrivals, 1, __ATOMIC_RELEASE);
	lwps_unlock();
	core_wake(&turn.arrivals);
	if (!is_heir || !decide(me))
		wait_turn(me);
}

int turn_is_alone(void)
{
	return turn.alive == 1 && !turn.expected;
}

void __wrap_vgModuleLocal_acquire_sched_lock(UNUSED struct sched_lock *p)
{
	/* Only the holder itself can come if there is no other LWP. */
	if (turn.holder && turn_is_alone())
		return;
	const Int id = VG_(gettid)();
	lwps_lock();
	struct lwp *const me = lwps_get(id);

	if (turn.holder == me) {
		lwps_unlock();
	} else if (me->state == LWP_OUT) {
		arrive(me);
	} else {
		lwps_unlock();
		wait_turn(me);
	}
}

/* ---- The end of a turn */

/* The turn's time is over. */
static void pass_on(struct lwp *me)
{
	if (turn.is_open || turn.expected) {
		lwps_settle(++turn.decision);
		lwps_settled();
	}
	lwps_lock();
	turn.last = me;
	turn.last_birth = me->birth;
	quantum_begin();
	struct lwp *const next = successor();
	me->gave_turn = next != NULL;
	if (next) {
		__atomic_store_n(&me->state, LWP_QUEUED, __ATOMIC_RELEASE);
		take(next);
		alert(next);
	}
	lwps_unlock();
	if (next)
		core_wake(&next->go);
}

/* The LWP enters a system call that can sleep, or ends. */
static void leave(struct lwp *me)
{
	turn.is_open = 1;
	lwps_lock();
	struct lwp *const next = successor();
	if (next)
		activity_prepare(me->id);
	turn.last = me;
	turn.last_birth = me->birth;
	me->is_asleep = 0;
	me->call = turn.call;
	turn.holder = NULL;
	if (next) {
		appoint(next);
		alert(next);
	}
	__atomic_store_n(&me->state, LWP_OUT, __ATOMIC_RELEASE);
	lwps_unlock();
	if (next)
		core_wake(&next->go);
}

void __wrap_vgModuleLocal_release_sched_lock(UNUSED struct sched_lock *p)
{
	const int leaves = turn.leaves;

	turn.leaves = 0;
	/* In a call that counts, the holder keeps its turn; the result comes later. */
	if (!leaves || !turn.call.counts)
		lwps_note_wakes();
	if (turn.alive == 1 && !turn.expected) {
		quantum_end_sharing();
		return;
	}
	if (leaves && turn.call.blocks)
		leave(turn.holder);
	else if (!leaves || turn.call.yields)
		pass_on(turn.holder);
}

/* ---- Functions that the core calls */

static struct sched_lock {
	int unused;
} the_lock;

/* Called at the start, and in the child of fork(2), which has one LWP. */
struct sched_lock *__wrap_vgModuleLocal_create_sched_lock(void)
{
	activity_forked();
	for (unsigned i = 0; i < turn.used; i++)
		turn.lwp[i].state = LWP_FREE;
	turn.used = turn.alive = 0;
	turn.guard = turn.expected = turn.leaves = turn.is_open = 0;
	turn.has_child = turn.has_called = 0;
	turn.woken = turn.back = 0;
	turn.holder = turn.heir = turn.last = NULL;
	return &the_lock;
}

void __wrap_vgModuleLocal_destroy_sched_lock(UNUSED struct sched_lock *p)
{
}

int __wrap_vgModuleLocal_get_sched_lock_owner(UNUSED struct sched_lock *p)
{
	return turn.holder ? turn.holder->id : 0;
}

/* The core reports its first thread too, as one that no thread has created. */
static void begin_thread(ThreadId tid, UNUSED ThreadId child)
{
	if (tid == VG_INVALID_THREADID)
		return;
	turn.has_child = 1;
	__atomic_add_fetch(&turn.expected, 1, __ATOMIC_RELEASE);
}

/* A thread is about to end, or could not be created. Called by the running LWP. */
static void end_thread(ThreadId tid)
{
	if (tid == VG_(get_running_tid)()) {
		turn.leaves = turn.has_called = 1;
		turn.call = call_of_end();
		forged_forget(VG_(gettid)());
	} else {
		turn.has_child = 0;
		__atomic_sub_fetch(&turn.expected, 1, __ATOMIC_RELEASE);
	}
	run_end_thread(tid);
}

/* A created LWP comes for its first turn before the call that created it returns. */
static void await_birth(void)
{
	enum { WAIT = 10000 };

	for (;;) {
		const Int seen = __atomic_load_n(&turn.arrivals, __ATOMIC_ACQUIRE);

		if (__atomic_load_n(&turn.expected, __ATOMIC_ACQUIRE) <= 0)
			return;
		core_wait(&turn.arrivals, seen, WAIT);
	}
}

void __real_vgPlain_client_syscall(ThreadId tid, UInt trc);
int turn_syscall(ThreadId tid, UInt trc)
{
	if (turn.holder)
		turn.holder->gave_turn = 0;
	lwps_note_wakes();
	turn.call = call_describe(regs_get(tid, REG(RAX)), regs_get(tid, REG(RDI)),
				  regs_get(tid, REG(RSI)));
	turn.leaves = turn.has_called = 1;
	if (turn.call.counts)
		lwps_mark_candidates();
	threads_before_syscall(regs_get(tid, REG(RAX)));
	/* The core jumps out of this call if a signal arrives. */
	__real_vgPlain_client_syscall(tid, trc);
	threads_after_syscall();
	turn.leaves = 0;
	if (turn.call.counts)
		lwps_note_count((Long)regs_get(tid, REG(RAX)));
	else if (turn.call.is_futex && !regs_get(tid, REG(RAX)))
		turn.has_called = 0;
	lwps_note_wakes();
	if (turn.has_child) {
		turn.has_child = 0;
		await_birth();
		model_share();
		quantum_share();
	}
	return turn.holder && turn.holder->gave_turn;
}

void turn_set_up(void)
{
	VG_(track_pre_thread_ll_create)(begin_thread);
	VG_(track_pre_thread_ll_exit)(end_thread);
}
