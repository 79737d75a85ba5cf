/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/tool/turn.h"

#include "pub_tool_libcproc.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_tooliface.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "sim/tool/activity.h"
#include "sim/tool/call.h"
#include "sim/tool/core.h"
#include "sim/tool/model.h"
#include "sim/tool/quantum.h"
#include "sim/tool/run.h"
#include "sim/tool/tool.h"
#include "sim/virtual/regs.h"

enum { MAX_LWPS = 16384 }; /* the core's limit is lower */

enum lwp_state {
	LWP_FREE,   /* the entry is not in use */
	LWP_OUT,    /* in a system call, or ending */
	LWP_QUEUED, /* waits for its turn */
	LWP_RUNNING
};

struct lwp {
	Int id;
	Int state;	   /* enum lwp_state */
	Int go;		   /* a futex: 1 if the LWP is to look whether it has the turn */
	int gave_turn;	   /* the end of its last turn gave the turn to another */
	Int is_asleep;	   /* OUT: it was asleep, and no call can have woken it since */
	struct call call;  /* OUT: its system call */
	ULong seen_asleep; /* OUT: the decision for which it was seen asleep */
	ULong birth;	   /* its number in the order of creation */
};

static struct {
	struct lwp lwp[MAX_LWPS];
	unsigned used;	    /* entries that are or were in use */
	unsigned alive;	    /* entries in use */
	Int guard;	    /* a spin lock for the members above and below */
	struct lwp *holder; /* has the turn */
	struct lwp *heir;   /* if nobody has the turn: decides who gets it, or NULL */
	ULong decision;	    /* number of the decision that is made, or was made last */
	struct lwp *last;   /* had the turn last; NULL: it has ended */
	ULong last_birth;
	ULong births;	  /* LWPs created so far */
	Int expected;	  /* LWPs that are created and have not yet come for a turn */
	int has_child;	  /* the holder has created an LWP by its current system call */
	Int arrivals;	  /* a futex: changes whenever an LWP comes for a turn */
	int leaves;	  /* the holder is about to enter a system call that can sleep */
	struct call call; /* the holder's system call */
	int has_called;	  /* the LWPs that the call can wake are not yet noted */
	int is_open;	  /* an LWP may be active in the kernel */
} turn;

static void lock(void)
{
	while (__atomic_exchange_n(&turn.guard, 1, __ATOMIC_ACQUIRE))
		core_syscall(__NR_sched_yield, 0, 0, 0, 0);
}

static void unlock(void)
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

/* Returns the entry of the LWP that calls, which may be a new one. */
static struct lwp *get_lwp(Int id)
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

/* ---- Waiting until no LWP is active in the kernel */

/* Notes that the holder's last call may have woken sleeping LWPs. */
static void note_wakes(void)
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

/* The LWP has ended, unless another LWP has noticed that before. */
static void end_lwp(struct lwp *l, ULong birth)
{
	lock();
	if (l->state == LWP_OUT && l->birth == birth)
		free_lwp(l);
	unlock();
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

	if (__atomic_load_n(&turn.expected, __ATOMIC_ACQUIRE) > 0)
		return 1;
	if (last && is_active(last, decision))
		return 1;
	for (unsigned i = 0; i < turn.used; i++)
		if (is_active(&turn.lwp[i], decision))
			return 1;
	return 0;
}

/*
 * Returns when each LWP waits for its turn, or sleeps, or has ended; or when an LWP has
 * taken the turn meanwhile, so that the decision is another one. An LWP that is active in
 * the kernel for more than a second is then treated as if it slept.
 */
static void settle(ULong decision)
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

/* Nothing is active; this holds until the LWP that is given the turn changes it. */
static void settled(void)
{
	for (unsigned i = 0; i < turn.used; i++)
		turn.lwp[i].is_asleep = 1;
	turn.is_open = 0;
}

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
		lock();
		const ULong decision = turn.decision;
		const int is_heir = turn.heir == me;
		unlock();
		if (!is_heir)
			return 0;
		settle(decision);
		lock();
		if (turn.heir == me && turn.decision == decision)
			break;
		unlock();
	}
	settled();
	next = successor();
	if (next->birth != turn.last_birth)
		quantum_begin();
	take(next);
	if (next != me)
		alert(next);
	unlock();
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
	if (!turn.holder && turn.last == me) {
		take(me);
		unlock();
		return;
	}
	const int is_heir = !turn.holder && !turn.heir;
	__atomic_store_n(&me->state, LWP_QUEUED, __ATOMIC_RELEASE);
	if (is_heir)
		appoint(me);
	__atomic_add_fetch(&turn.arrivals, 1, __ATOMIC_RELEASE);
	unlock();
	core_wake(&turn.arrivals);
	if (!is_heir || !decide(me))
		wait_turn(me);
}

void __wrap_vgModuleLocal_acquire_sched_lock(UNUSED struct sched_lock *p)
{
	/* Only the holder itself can come if there is no other LWP. */
	if (turn.holder && turn.alive == 1 && !turn.expected)
		return;
	const Int id = VG_(gettid)();
	lock();
	struct lwp *const me = get_lwp(id);

	if (turn.holder == me) {
		unlock();
	} else if (me->state == LWP_OUT) {
		arrive(me);
	} else {
		unlock();
		wait_turn(me);
	}
}

/* ---- The end of a turn */

/* The turn's time is over. */
static void pass_on(struct lwp *me)
{
	if (turn.is_open || turn.expected) {
		settle(++turn.decision);
		settled();
	}
	lock();
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
	unlock();
	if (next)
		core_wake(&next->go);
}

/* The LWP enters a system call that can sleep, or ends. */
static void leave(struct lwp *me)
{
	turn.is_open = 1;
	lock();
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
	unlock();
	if (next)
		core_wake(&next->go);
}

void __wrap_vgModuleLocal_release_sched_lock(UNUSED struct sched_lock *p)
{
	const int leaves = turn.leaves;

	turn.leaves = 0;
	note_wakes();
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
	note_wakes();
	turn.call = call_describe(regs_get(tid, REG(RAX)), regs_get(tid, REG(RDI)),
				  regs_get(tid, REG(RSI)));
	turn.leaves = turn.has_called = 1;
	/* The core jumps out of this call if a signal arrives. */
	__real_vgPlain_client_syscall(tid, trc);
	turn.leaves = 0;
	if (turn.call.is_futex && !regs_get(tid, REG(RAX)))
		turn.has_called = 0;
	note_wakes();
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
