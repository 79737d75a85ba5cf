#include "pctx/birth.h"

#include <errno.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>

#include "base/clock.h"
#include "base/procfs.h"
#include "pctx/control.h"
#include "pctx/ticks.h"
#include "pctx/watch.h"

/* The new LWP need not wait for lwp_create, which only reports its creation. */
static void thread_born(struct lwp *l)
{
	struct __pctx *p = l->proc;

	lwp_join(l, p);
	if (lwp_call_init(l)) {
		proc_end_tracking(p, ECANCELED);
		return;
	}
	lwp_resume_event_stop(l);
	if (p->h.lwp_create && p->h.lwp_create(p, p->pid, l->id, p->arg))
		proc_end_tracking(p, ECANCELED);
}

static void child_born(struct tracer *t, struct lwp *l)
{
	struct __pctx *parent = l->proc, *p = proc_new(t, l->tid, parent);

	if (!p) {
		lwp_not_followed(t, l->tid, ENOMEM);
		lwp_detach(t, l, 0);
		return;
	}
	lwp_join(l, p);
	if (p->h.fork)
		p->h.fork(p, parent->pid, l->creator, p->pid, parent->arg);
	if (!p->follow) {
		proc_detach(p);
		return;
	}
	ticks_schedule(t, p, t->interval ? clock_ns() : 0);
	if (lwp_call_init(l))
		proc_end_tracking(p, ECANCELED);
	else
		lwp_resume_event_stop(l);
}

void birth_complete(struct tracer *t, struct lwp *l)
{
	struct __pctx *p = l->proc;

	if (!p || p->detaching)
		lwp_detach(t, l, 0);
	else if (l->id)
		thread_born(l);
	else
		child_born(t, l);
}

/* An announced LWP soon stops or dies. Returns the signal number of its stop, or 0. */
static int await_first_stop(pid_t tid)
{
	pid_t found;
	int st;

	while ((found = waitpid(tid, &st, __WALL)) == -1 && errno == EINTR)
		;
	return found != -1 && WIFSTOPPED(st) ? WSTOPSIG(st) : 0;
}

/*
 * Without memory for an LWP its first stop could not be assigned to anything later. The
 * LWP must not wait for that.
 */
static void announce_nothing(struct tracer *t, pid_t tid)
{
	lwp_not_followed(t, tid, ENOMEM);
	if (await_first_stop(tid))
		ptrace(PTRACE_DETACH, tid, 0, 0L);
}

/*
 * Returns whether the caller still traces an LWP, which was perhaps detached at its stop.
 */
static int is_traced(pid_t tid)
{
	siginfo_t info;

	return waitid(P_PID, (id_t)tid, &info,
		      WEXITED | WSTOPPED | WNOHANG | WNOWAIT | __WALL) == 0;
}

void birth_announce(struct tracer *t, const struct lwp *creator, pid_t tid, int event)
{
	struct lwp *l = lwp_find(t, tid);

	if (!l && t->nlost && !is_traced(tid))
		return;
	if (!l)
		l = lwp_new(t, tid, LWP_ANNOUNCED);
	if (!l) {
		announce_nothing(t, tid);
		return;
	}
	if (l->state == LWP_LIVE)
		return;
	l->proc = creator->proc->detaching ? NULL : creator->proc;
	l->creator = creator->id;
	/* clone(2) without CLONE_THREAD creates a process, for which tgkill(2) fails. */
	if (l->proc && event == PTRACE_EVENT_CLONE && tgkill(l->proc->pid, tid, 0) == 0)
		lwp_assign_number(l, l->proc);
	if (l->state == LWP_STOPPED)
		birth_complete(t, l);
}

void birth_event(struct tracer *t, struct lwp *l, int event)
{
	const pid_t tid = lwp_event_message(l->tid);

	l->in_vfork = event == PTRACE_EVENT_VFORK;
	if (t->watch && t->watch->forked && event != PTRACE_EVENT_CLONE && tid > 0)
		t->watch->forked(l->proc, l->proc->pid, l->id, tid, l->proc->arg);
	lwp_resume(l, 0);
	if (tid > 0)
		birth_announce(t, l, tid, event);
}

/* Returns an LWP that p has announced and that has not stopped yet, or NULL. */
static struct lwp *announced_by(const struct tracer *t, const struct __pctx *p)
{
	for (unsigned i = 0; i < t->nbuckets && t->nunborn; i++)
		for (struct lwp *l = t->bucket[i]; l; l = l->chain)
			if (l->state == LWP_ANNOUNCED && l->proc == p)
				return l;
	return NULL;
}

/* Returns whether an announced LWP has stopped. */
static int await_birth(struct lwp *l)
{
	l->stop = await_first_stop(l->tid);
	l->stopped = l->stop != 0;
	return l->stopped;
}

/*
 * Returns whether no process under control but p can have created the LWP, or whether
 * this cannot be found out, which is reported.
 */
static int is_orphan(struct tracer *t, pid_t tid, const struct __pctx *p)
{
	const pid_t origin = procfs_origin(tid);
	const struct lwp *l = origin > 0 ? lwp_find(t, origin) : NULL;

	if (origin == -1)
		lwp_not_followed(t, tid, errno);
	return !l || l->state != LWP_LIVE || l->proc == p;
}

/*
 * A creator that was killed may never have reported its event. Nothing says then to which
 * process the new LWP belongs, so the LWP is detached.
 */
void birth_settle(struct tracer *t, struct __pctx *p)
{
	struct lwp *l;

	while ((l = announced_by(t, p))) {
		if (await_birth(l))
			birth_complete(t, l);
		else
			lwp_drop(t, l);
	}
	for (unsigned i = 0; i < t->nbuckets && t->nunborn; i++)
		for (struct lwp *next = t->bucket[i]; (l = next);) {
			next = l->chain;
			if (l->state == LWP_STOPPED && is_orphan(t, l->tid, p))
				lwp_detach(t, l, 0);
		}
}

/* The longest wait for a child of a killed process, ns. */
static const int64_t longest_birth_ns = 200000000;

/*
 * A process that is killed in its fork may end before its child runs for the first time:
 * the child is traced, and nothing but its first stop says so. Only stops are taken, as
 * the caller may have children of its own, whose ends are not waited for.
 */
static void detach_unannounced(void)
{
	static const struct timespec nap = {.tv_nsec = 100000};
	const int64_t end = clock_ns() + longest_birth_ns;
	siginfo_t info = {0};

	while (waitid(P_ALL, 0, &info, WSTOPPED | WNOHANG | __WALL | __WNOTHREAD) == 0 &&
	       (info.si_pid || clock_ns() < end)) {
		if (info.si_pid)
			ptrace(PTRACE_DETACH, info.si_pid, 0, 0L);
		else
			nanosleep(&nap, NULL);
		info.si_pid = 0;
	}
}

void birth_detach_all(struct tracer *t)
{
	for (unsigned i = 0; i < t->nbuckets && t->nunborn; i++)
		for (struct lwp *l, *next = t->bucket[i]; (l = next);) {
			next = l->chain;
			if (l->state == LWP_LIVE)
				continue;
			if (l->state == LWP_STOPPED || await_birth(l))
				lwp_detach(t, l, 0);
			else
				lwp_drop(t, l);
		}
	if (t->killed && tracer_is_only(t))
		detach_unannounced();
	t->killed = 0;
}
