/*
 * Nothing is stopped beyond what creation, exec and signals stop by themselves: the ends
 * of LWPs are learnt from their exit status, after which their counters can still be
 * read.
 */
#include "pctx/stops.h"

#include <errno.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "base/procfs.h"
#include "pctx/image.h"
#include "pctx/message.h"

/*
 * Let an LWP go on from a stop; sig is delivered to it, 0 for none. ESRCH: it was killed
 * meanwhile.
 */
static void resume(struct lwp *l, int sig)
{
	l->stopped = 0;
	ptrace(PTRACE_CONT, l->tid, 0, (long)sig);
}

void pctx_resume(struct lwp *l)
{
	if (l->stop == SIGTRAP) {
		resume(l, 0);
	} else {
		l->stopped = 0;
		ptrace(PTRACE_LISTEN, l->tid, 0, 0);
	}
}

static void detach(struct tracer *t, struct lwp *l, int sig)
{
	ptrace(PTRACE_DETACH, l->tid, 0, (long)sig);
	lwp_drop(t, l);
}

void pctx_leave(struct __pctx *p)
{
	p->leaving = 1;
	for (struct lwp *l = p->first, *next; l; l = next) {
		next = l->next;
		if (l->stopped)
			detach(p->t, l, 0);
		else
			ptrace(PTRACE_INTERRUPT, l->tid, 0, 0);
	}
	if (!p->first)
		proc_drop(p);
}

void pctx_end_tracking(struct __pctx *p, int e)
{
	if (p == p->t->root)
		p->t->error = e;
	pctx_leave(p);
}

int pctx_init_lwp(struct lwp *l)
{
	struct __pctx *p = l->proc;

	p->cursor = l;
	return p->h.init_lwp ? p->h.init_lwp(p, p->pid, l->id, p->arg) : 0;
}

static void fini_lwp(struct lwp *l)
{
	struct __pctx *p = l->proc;

	p->cursor = l;
	if (p->h.fini_lwp)
		p->h.fini_lwp(p, p->pid, l->id, p->arg);
}

static void lwp_ended(struct lwp *l)
{
	struct __pctx *p = l->proc;

	fini_lwp(l);
	if (p->h.lwp_exit)
		p->h.lwp_exit(p, p->pid, l->id, p->arg);
	lwp_drop(p->t, l);
}

/*
 * The new LWP runs before lwp_create is called: it must not wait for what is only to be
 * told.
 */
static void thread_born(struct lwp *l)
{
	struct __pctx *p = l->proc;

	lwp_join(l, p);
	if (pctx_init_lwp(l)) {
		pctx_end_tracking(p, ECANCELED);
		return;
	}
	pctx_resume(l);
	if (p->h.lwp_create && p->h.lwp_create(p, p->pid, l->id, p->arg))
		pctx_end_tracking(p, ECANCELED);
}

void pctx_schedule(struct tracer *t, struct __pctx *p, int64_t now)
{
	if (t->interval == 0)
		return;
	p->left = t->nsamples;
	p->due = now + t->interval;
	if (t->next_due == 0 || p->due < t->next_due) {
		t->next_due = p->due;
		wake_at(&t->wake, p->due);
	}
}

static void child_born(struct tracer *t, struct lwp *l)
{
	struct __pctx *parent = l->proc, *p = proc_new(t, l->tid, parent);

	if (!p) {
		pctx_message(t, "run", "cannot follow pid %d: %s", (int)l->tid,
			     strerror(errno));
		detach(t, l, 0);
		return;
	}
	lwp_join(l, p);
	if (p->h.fork)
		p->h.fork(p, parent->pid, l->creator, p->pid, parent->arg);
	if (!p->follow) {
		pctx_leave(p);
		return;
	}
	pctx_schedule(t, p, t->interval ? clock_ns() : 0);
	if (pctx_init_lwp(l))
		pctx_end_tracking(p, ECANCELED);
	else
		pctx_resume(l);
}

/* Both halves of a birth are there: the creator's report and the first stop. */
static void born(struct tracer *t, struct lwp *l)
{
	struct __pctx *p = l->proc;

	if (!p || p->leaving)
		detach(t, l, 0);
	else if (l->id)
		thread_born(l);
	else
		child_born(t, l);
}

static pid_t event_message(pid_t tid)
{
	unsigned long msg = 0;

	ptrace(PTRACE_GETEVENTMSG, tid, 0, &msg);
	return (pid_t)msg;
}

/* An LWP has created another, which may or may not have stopped yet. */
static void announce(struct tracer *t, const struct lwp *creator, pid_t tid, int event)
{
	struct lwp *l = lwp_find(t, tid);

	if (!l)
		l = lwp_new(t, tid, LWP_ANNOUNCED);
	if (!l) {
		pctx_message(t, "run", "cannot follow pid %d: %s", (int)tid,
			     strerror(ENOMEM));
		return;
	}
	if (l->state == LWP_LIVE)
		return;
	l->proc = creator->proc->leaving ? NULL : creator->proc;
	l->creator = creator->id;
	if (l->proc && event == PTRACE_EVENT_CLONE && tgkill(l->proc->pid, tid, 0) == 0)
		lwp_reserve(l, l->proc);
	if (l->state == LWP_STOPPED)
		born(t, l);
}

static void on_creation(struct tracer *t, struct lwp *l, int event)
{
	const pid_t tid = event_message(l->tid);

	l->in_vfork = event == PTRACE_EVENT_VFORK;
	resume(l, 0);
	if (tid > 0)
		announce(t, l, tid, event);
}

/* An LWP that p has announced and that has not stopped yet, or NULL. */
static struct lwp *announced_by(const struct tracer *t, const struct __pctx *p)
{
	for (unsigned i = 0; i < t->nbuckets && t->nunborn; i++)
		for (struct lwp *l = t->bucket[i]; l; l = l->chain)
			if (l->state == LWP_ANNOUNCED && l->proc == p)
				return l;
	return NULL;
}

/* An LWP that was announced will stop or die at once: has it stopped? */
static int await_first_stop(struct lwp *l)
{
	pid_t tid;
	int st;

	while ((tid = waitpid(l->tid, &st, __WALL)) == -1 && errno == EINTR)
		;
	if (tid == -1 || !WIFSTOPPED(st))
		return 0;
	l->stopped = 1;
	l->stop = WSTOPSIG(st);
	return 1;
}

/* Is an unborn LWP no thread and no child of any process under control, p left aside? */
static int is_orphan(const struct tracer *t, pid_t tid, const struct __pctx *p)
{
	const pid_t origin = procfs_origin(tid);
	const struct lwp *l = origin > 0 ? lwp_find(t, origin) : NULL;

	return !l || l->state != LWP_LIVE || l->proc == p;
}

/*
 * When a process ends: what it announced will stop or die at once, and belongs to it. The
 * report of a creator that was killed meanwhile may be missing: its child cannot be told
 * from a stranger; let it go.
 */
static void settle_unborn(struct tracer *t, struct __pctx *p)
{
	struct lwp *l;

	while ((l = announced_by(t, p))) {
		if (await_first_stop(l))
			born(t, l);
		else
			lwp_drop(t, l);
	}
	for (unsigned i = 0; i < t->nbuckets && t->nunborn; i++)
		for (struct lwp *next = t->bucket[i]; (l = next);) {
			next = l->chain;
			if (l->state == LWP_STOPPED && is_orphan(t, l->tid, p))
				detach(t, l, 0);
		}
}

static void process_ended(struct lwp *leader, int status)
{
	struct __pctx *p = leader->proc;
	struct tracer *t = p->t;

	settle_unborn(t, p);
	while (p->last != leader)
		lwp_ended(p->last);
	while (p->first != leader)
		lwp_ended(p->first);
	fini_lwp(leader);
	if (p->h.exit)
		p->h.exit(p, p->pid, leader->id, status, p->arg);
	proc_drop(p);
}

static void on_end(struct tracer *t, struct lwp *l, pid_t tid, int status)
{
	if (tid == t->root->pid && !t->ended) {
		t->ended = 1;
		t->status = status;
	}
	if (!l)
		return;
	struct __pctx *p = l->proc;
	if (l->state != LWP_LIVE) {
		lwp_drop(t, l);
	} else if (p->leaving) {
		lwp_drop(t, l);
		if (!p->first)
			proc_drop(p);
	} else if (tid == p->pid) {
		process_ended(l, status);
	} else {
		lwp_ended(l);
	}
}

/*
 * After an exec by another thread than the first, that thread has taken over the first
 * one's tid, and the first has ended without a report. Returns the LWP that goes on.
 */
static struct lwp *take_over(struct tracer *t, struct lwp *leader, pid_t former)
{
	struct lwp *l = lwp_find(t, former);

	if (former == leader->tid || !l || l->state != LWP_LIVE)
		return leader;
	lwp_ended(leader);
	lwp_rename(t, l, l->proc->pid);
	return l;
}

/* The old image's LWP has been read. Nonzero: the process is not tracked any further. */
static int new_image(struct lwp *l)
{
	struct __pctx *p = l->proc;
	char args[IMAGE_ARGS];

	l->id = p->last_id = 1;
	const int left =
		!p->h.exec || p->h.exec(p, p->pid, l->id, image_args(p, args), p->arg);
	if (!procfs_exec_spoiled(p->pid))
		return left;
	pctx_message(p->t, "run", "%d: execed a program that cannot be tracked",
		     (int)p->pid);
	return 1;
}

static void on_exec(struct tracer *t, struct lwp *leader)
{
	struct __pctx *p = leader->proc;

	/* What the launcher executes was told of when that was. */
	if (p->launched) {
		p->launched = 0;
		resume(leader, 0);
		return;
	}
	p->launched = image_is_launcher(t, p->pid);
	struct lwp *l = take_over(t, leader, event_message(leader->tid));

	l->stopped = 1;
	while (p->first != l)
		lwp_ended(p->first);
	while (p->last != l)
		lwp_ended(p->last);
	fini_lwp(l);
	const int e = p->h.exec ? ECANCELED : 0;
	if (new_image(l)) {
		pctx_end_tracking(p, e);
		return;
	}
	l->data = NULL;
	if (pctx_init_lwp(l))
		pctx_end_tracking(p, ECANCELED);
	else
		resume(l, 0);
}

/* PTRACE_EVENT_STOP: the first stop of a new LWP, a group-stop, or the end of one. */
static void on_trap(struct tracer *t, struct lwp *l, pid_t tid, int sig)
{
	if (!l) {
		l = lwp_new(t, tid, LWP_STOPPED);
		if (!l) {
			pctx_message(t, "run", "cannot follow pid %d: %s", (int)tid,
				     strerror(ENOMEM));
			ptrace(PTRACE_DETACH, tid, 0, 0);
			return;
		}
	}
	l->stopped = 1;
	l->stop = sig;
	if (l->state == LWP_LIVE)
		pctx_resume(l);
	else if (l->state == LWP_ANNOUNCED)
		born(t, l);
}

/* A stop of an LWP whose process is being let go. */
static void on_leaving(struct tracer *t, struct lwp *l, int event, int sig)
{
	struct __pctx *p = l->proc;

	if (event == PTRACE_EVENT_CLONE || event == PTRACE_EVENT_FORK ||
	    event == PTRACE_EVENT_VFORK)
		announce(t, l, event_message(l->tid), event);
	else if (event == PTRACE_EVENT_EXEC)
		while (p->first != p->last)
			lwp_drop(t, p->first == l ? p->last : p->first);
	detach(t, l, event ? 0 : sig);
	if (!p->first)
		proc_drop(p);
}

/* After an exec the LWP has the first one's tid, which may have been let go already. */
static struct lwp *survivor(struct tracer *t, pid_t tid)
{
	struct lwp *l = lwp_find(t, event_message(tid));

	if (!l || l->state != LWP_LIVE)
		return NULL;
	lwp_rename(t, l, tid);
	return l;
}

static void on_stop(struct tracer *t, struct lwp *l, pid_t tid, int event, int sig)
{
	if (!l && event == PTRACE_EVENT_EXEC)
		l = survivor(t, tid);
	if (l && l->state == LWP_LIVE && l->proc->leaving) {
		on_leaving(t, l, event, sig);
		return;
	}
	if (event == PTRACE_EVENT_STOP) {
		on_trap(t, l, tid, sig);
		return;
	}
	if (!l) {
		ptrace(PTRACE_DETACH, tid, 0, event ? 0L : (long)sig);
		return;
	}
	l->stopped = 1;
	l->stop = sig;
	switch (event) {
	case PTRACE_EVENT_CLONE:
	case PTRACE_EVENT_FORK:
	case PTRACE_EVENT_VFORK:
		on_creation(t, l, event);
		break;
	case PTRACE_EVENT_EXEC:
		on_exec(t, l);
		break;
	case PTRACE_EVENT_VFORK_DONE:
		l->in_vfork = 0;
		resume(l, 0);
		break;
	default:
		resume(l, event ? 0 : sig);
	}
}

void pctx_report(struct tracer *t, pid_t tid, int status)
{
	struct lwp *l = lwp_find(t, tid);

	if (WIFSTOPPED(status))
		on_stop(t, l, tid, status >> 16, WSTOPSIG(status));
	else
		on_end(t, l, tid, status);
}

void pctx_free_unborn(struct tracer *t)
{
	for (unsigned i = 0; i < t->nbuckets && t->nunborn; i++)
		for (struct lwp *l, *next = t->bucket[i]; (l = next);) {
			next = l->chain;
			if (l->state == LWP_LIVE)
				continue;
			if (l->state == LWP_STOPPED || await_first_stop(l))
				detach(t, l, 0);
			else
				lwp_drop(t, l);
		}
}
