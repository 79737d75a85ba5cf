#include "pctx/exec.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <unistd.h>

#include "base/procfs.h"
#include "pctx/args.h"
#include "pctx/control.h"
#include "pctx/message.h"
#include "pctx/name.h"
#include "pctx/stopcount.h"

/* Returns whether a process runs the launcher of pctx_create_behind(). */
static int runs_launcher(const struct tracer *t, pid_t pid)
{
	char link[64], path[PATH_MAX];

	if (!t->launcher)
		return 0;
	snprintf(link, sizeof link, "/proc/%d/exe", (int)pid);
	const ssize_t n = readlink(link, path, sizeof path - 1);
	path[n > 0 ? n : 0] = '\0';
	return strcmp(path, t->launcher) == 0;
}

/*
 * If a thread other than the first executes, it gets the first thread's tid, and the
 * kernel does not report the end of the first thread. Returns the LWP that has executed;
 * former is the tid that it had before.
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

/* Calls the exec handler. Returns nonzero if the process is not tracked any further. */
static int call_exec(struct lwp *l)
{
	struct __pctx *p = l->proc;
	char args[ARGS_SIZE];

	l->id = p->last_id = 1;
	char *const line = args_read(p->pid, p->launched, args);
	const int ends = !p->h.exec || p->h.exec(p, p->pid, l->id, line, p->arg);
	if (!procfs_exec_spoiled(p->pid))
		return ends;
	pctx_message(p->t, "run", "%d: execed a program that cannot be tracked",
		     (int)p->pid);
	return 1;
}

void exec_event(struct tracer *t, struct lwp *leader)
{
	struct __pctx *p = leader->proc;

	name_executed(p);
	/* The launcher's own exec was reported as the exec of the program. */
	if (p->launched) {
		p->launched = 0;
		lwp_resume(leader, 0);
		return;
	}
	p->launched = runs_launcher(t, p->pid);
	struct lwp *l = take_over(t, leader, lwp_event_message(leader->tid));

	stopcount_add(l->stops, PTRACE_EVENT_EXEC, SIGTRAP);
	l->stopped = 1;
	while (p->first != l)
		lwp_ended(p->first);
	while (p->last != l)
		lwp_ended(p->last);
	lwp_call_fini(l);
	const int e = p->h.exec ? ECANCELED : 0;
	if (call_exec(l)) {
		proc_end_tracking(p, e);
		return;
	}
	l->data = NULL;
	if (lwp_call_init(l))
		proc_end_tracking(p, ECANCELED);
	else
		lwp_resume(l, 0);
}

struct lwp *exec_survivor(struct tracer *t, pid_t tid)
{
	struct lwp *l = lwp_find(t, lwp_event_message(tid));

	if (!l || l->state != LWP_LIVE)
		return NULL;
	lwp_rename(t, l, tid);
	return l;
}
