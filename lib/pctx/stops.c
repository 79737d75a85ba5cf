/*
 * LWPs stop only for creation, exec and signals. Their end is known from the wait status,
 * without a stop; their counters can be read after it.
 */
#include "pctx/stops.h"

#include <errno.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include "pctx/birth.h"
#include "pctx/control.h"
#include "pctx/exec.h"
#include "pctx/stopcount.h"
#include "pctx/watch.h"

/* As PTRACE_O_TRACESYSGOOD reports a system call. */
enum { CALL_STOP = SIGTRAP | 0x80 };

static void process_ended(struct lwp *leader, int status)
{
	struct __pctx *p = leader->proc;
	struct tracer *t = p->t;

	birth_settle(t, p);
	while (p->last != leader)
		lwp_ended(p->last);
	while (p->first != leader)
		lwp_ended(p->first);
	leader->ended = 1;
	lwp_call_fini(leader);
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
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
		t->killed = 1;
	stopcount_end(l->stops);
	struct __pctx *p = l->proc;
	if (l->state != LWP_LIVE) {
		lwp_drop(t, l);
	} else if (p->detaching) {
		/*
		 * The end of the first LWP comes last; another LWP that was killed while
		 * it executed is not reported by its former tid.
		 */
		if (tid != p->pid)
			lwp_drop(t, l);
		if (tid == p->pid || !p->first)
			proc_drop(p);
	} else if (tid == p->pid) {
		process_ended(l, status);
	} else {
		lwp_ended(l);
	}
}

/* PTRACE_EVENT_STOP: the first stop of a new LWP, or the begin or end of a group stop. */
static void on_event_stop(struct tracer *t, struct lwp *l, pid_t tid, int sig)
{
	if (!l) {
		l = lwp_new(t, tid, LWP_STOPPED);
		if (!l) {
			lwp_not_followed(t, tid, ENOMEM);
			ptrace(PTRACE_DETACH, tid, 0, 0);
			return;
		}
	}
	l->stopped = 1;
	l->stop = sig;
	if (l->state == LWP_LIVE)
		lwp_resume_event_stop(l);
	else if (l->state == LWP_ANNOUNCED)
		birth_complete(t, l);
}

/* Any stop of an LWP whose process is being detached. */
static void on_detaching(struct tracer *t, struct lwp *l, int event, int sig)
{
	struct __pctx *p = l->proc;

	if (event == PTRACE_EVENT_CLONE || event == PTRACE_EVENT_FORK ||
	    event == PTRACE_EVENT_VFORK)
		birth_announce(t, l, lwp_event_message(l->tid), event);
	else if (event == PTRACE_EVENT_EXEC) /* which has ended all LWPs but l */
		while (p->first != p->last)
			lwp_drop(t, p->first == l ? p->last : p->first);
	lwp_detach(t, l, event ? 0 : sig);
	if (!p->first)
		proc_drop(p);
}

/* A stop that only a watcher can change: for a signal, a system call or the end. */
static void on_watched(struct lwp *l, int event, int sig)
{
	static const struct pctx_watch nobody;
	struct __pctx *p = l->proc;
	const struct pctx_watch *w = p && p->t->watch ? p->t->watch : &nobody;

	if (event == PTRACE_EVENT_EXIT && w->ending)
		w->ending(p, p->pid, l->id, p->arg);
	else if (!event && sig == CALL_STOP && w->call)
		w->call(p, p->pid, l->id, p->arg);
	else if (!event && sig != CALL_STOP && w->signal)
		sig = w->signal(p, p->pid, l->id, sig, p->arg);
	lwp_resume(l, event || sig == CALL_STOP ? 0 : sig);
}

static void on_stop(struct tracer *t, struct lwp *l, pid_t tid, int event, int sig)
{
	if (!l && event == PTRACE_EVENT_EXEC)
		l = exec_survivor(t, tid);
	if (l && l->state == LWP_LIVE && l->proc->detaching) {
		on_detaching(t, l, event, sig);
		return;
	}
	if (l && event != PTRACE_EVENT_EXEC)
		stopcount_add(l->stops, event, sig);
	if (event == PTRACE_EVENT_STOP) {
		on_event_stop(t, l, tid, sig);
		return;
	}
	if (!l) {
		ptrace(PTRACE_DETACH, tid, 0, event ? 0L : (long)sig);
		return;
	}
	t->signals += !event && sig != CALL_STOP;
	l->stopped = 1;
	l->stop = sig;
	switch (event) {
	case PTRACE_EVENT_CLONE:
	case PTRACE_EVENT_FORK:
	case PTRACE_EVENT_VFORK:
		birth_event(t, l, event);
		break;
	case PTRACE_EVENT_EXEC:
		exec_event(t, l);
		break;
	case PTRACE_EVENT_VFORK_DONE:
		l->in_vfork = 0;
		lwp_resume(l, 0);
		break;
	default:
		on_watched(l, event, sig);
	}
}

/* The stop need not be collected by waitpid(2), as an LWP that was resumed has none. */
int stops_pass(void *arg, pid_t tid, int sig)
{
	struct tracer *t = arg;
	struct lwp *l = lwp_find(t, tid);

	if (!l || l->state != LWP_LIVE || l->proc->detaching || sig == CALL_STOP ||
	    (t->watch && t->watch->signal))
		return 0;
	t->signals++;
	stopcount_add(l->stops, 0, sig);
	lwp_resume(l, sig);
	return 1;
}

void stops_handle(struct tracer *t, pid_t tid, int status)
{
	struct lwp *l = lwp_find(t, tid);

	if (WIFSTOPPED(status))
		on_stop(t, l, tid, status >> 16, WSTOPSIG(status));
	else
		on_end(t, l, tid, status);
}
