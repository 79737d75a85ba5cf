#include "pctx/control.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>

#include "pctx/message.h"
#include "pctx/stopcount.h"

void lwp_resume(struct lwp *l, int sig)
{
	l->stopped = 0;
	ptrace(l->calls ? PTRACE_SYSCALL : PTRACE_CONT, l->tid, 0, (long)sig);
}

void lwp_resume_event_stop(struct lwp *l)
{
	if (l->stop == SIGTRAP) {
		lwp_resume(l, 0);
	} else {
		l->stopped = 0;
		ptrace(PTRACE_LISTEN, l->tid, 0, 0);
	}
}

void lwp_detach(struct tracer *t, struct lwp *l, int sig)
{
	ptrace(PTRACE_DETACH, l->tid, 0, (long)sig);
	lwp_drop(t, l);
}

void proc_detach(struct __pctx *p)
{
	p->detaching = 1;
	for (struct lwp *l = p->first, *next; l; l = next) {
		next = l->next;
		if (l->stopped)
			lwp_detach(p->t, l, 0);
		else
			ptrace(PTRACE_INTERRUPT, l->tid, 0, 0);
	}
	if (!p->first)
		proc_drop(p);
}

void proc_end_tracking(struct __pctx *p, int e)
{
	if (p == p->t->root)
		p->t->error = e;
	proc_detach(p);
}

void lwp_not_followed(struct tracer *t, pid_t tid, int e)
{
	pctx_message(t, "run", "cannot follow pid %d: %s", (int)tid, strerror(e));
	t->nlost++;
}

struct stopcount *lwp_stopcount(pctx_t *pctx, id_t lwpid)
{
	struct lwp *l = pctx ? lwp_by_number(pctx, lwpid) : NULL;

	if (!l) {
		errno = ESRCH;
		return NULL;
	}
	if (!l->stops)
		l->stops = stopcount_new(l->tid);
	return l->stops ? stopcount_keep(l->stops) : NULL;
}

unsigned long pctx_signal_stops(const pctx_t *pctx)
{
	return pctx && pctx->t ? pctx->t->signals : 0;
}

int lwp_call_init(struct lwp *l)
{
	struct __pctx *p = l->proc;

	p->cursor = l;
	return p->h.init_lwp ? p->h.init_lwp(p, p->pid, l->id, p->arg) : 0;
}

void lwp_call_fini(struct lwp *l)
{
	struct __pctx *p = l->proc;

	p->cursor = l;
	if (p->h.fini_lwp)
		p->h.fini_lwp(p, p->pid, l->id, p->arg);
}

void lwp_ended(struct lwp *l)
{
	struct __pctx *p = l->proc;

	l->ended = 1;
	lwp_call_fini(l);
	if (p->h.lwp_exit)
		p->h.lwp_exit(p, p->pid, l->id, p->arg);
	lwp_drop(p->t, l);
}

pid_t lwp_event_message(pid_t tid)
{
	unsigned long msg = 0;

	ptrace(PTRACE_GETEVENTMSG, tid, 0, &msg);
	return (pid_t)msg;
}
