#include <libpctx.h>

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/process.h"
#include "pctx/birth.h"
#include "pctx/control.h"
#include "pctx/message.h"
#include "pctx/name.h"
#include "pctx/stops.h"
#include "pctx/table.h"
#include "pctx/ticks.h"

/* The longest wait for processes that do not stop or end. */
static const int64_t timeout_ns = 200000000;

/* Detaches the processes that handlers have released. */
static void detach_leaving(struct tracer *t)
{
	t->leaving = 0;
	for (struct __pctx *p = t->first, *next; p; p = next) {
		next = p->next;
		if (p->leaving && !p->detaching)
			proc_end_tracking(p, ECANCELED);
	}
}

/* Handles reports until no process is under control any more or pctx_stop() is called. */
static int trace(struct tracer *t)
{
	while (t->first && !t->stop) {
		int status;

		if (t->leaving)
			detach_leaving(t);
		if (t->next_due)
			ticks_take_due(t);
		if (!t->first)
			break;
		const pid_t tid = name_wait(t, &status);
		if (tid > 0) {
			stops_handle(t, tid, status);
		} else if (errno != EINTR) {
			pctx_message(t, "run", "lost control of pid %d",
				     (int)t->first->pid);
			return -1;
		}
	}
	return 0;
}

/* Calls init_lwp for the LWPs that exist at the start, and resumes the stopped ones. */
static int discover(struct __pctx *p)
{
	for (struct lwp *l = p->first; l; l = l->next)
		if (lwp_call_init(l)) {
			if (p->t->verbose)
				pctx_message(p->t, "run", "%d: lwp discovery failed",
					     (int)p->pid);
			errno = ECANCELED;
			return -1;
		}
	for (struct lwp *l = p->first; l; l = l->next)
		if (l->stopped)
			lwp_resume_event_stop(l);
	return 0;
}

static int begin(struct __pctx *root, uint_t msec, uint_t nsamples,
		 int (*tick_fn)(pctx_t *, pid_t, id_t, void *))
{
	struct tracer *t = root->t;

	t->interval = msec * INT64_C(1000000);
	t->nsamples = nsamples;
	t->tick = tick_fn;
	t->next_due = 0;
	t->error = 0;
	if (discover(root) == -1)
		return -1;
	for (struct __pctx *p = t->first; p; p = p->next)
		ticks_schedule(t, p, clock_ns());
	return 0;
}

static void resume(struct tracer *t)
{
	if (t->next_due)
		wake_at(&t->wake, t->next_due);
}

int pctx_run(pctx_t *pctx, uint_t msec, uint_t nsamples,
	     int (*tick_fn)(pctx_t *, pid_t, id_t, void *))
{
	if (!pctx_is_handle(pctx) || (msec && !tick_fn)) {
		errno = EINVAL;
		return -1;
	}
	struct tracer *t = pctx->t;
	if (pctx_refuse_in_handler(t->errfn, "run") == -1)
		return -1;
	/*
	 * After pctx_stop() the root may have ended, and processes that it started be
	 * left.
	 */
	if (pctx != t->root || t->thread != gettid() ||
	    (!proc_listed(pctx) && !t->interrupted)) {
		errno = ESRCH;
		return -1;
	}
	t->busy++;
	wake_open(&t->wake);
	wake_pass(&t->wake, stops_pass, t);
	int e = 0;
	if (t->interrupted)
		resume(t);
	else
		e = begin(pctx, msec, nsamples, tick_fn) == -1 ? errno : 0;
	if (e == 0)
		e = trace(t) == -1 ? errno : t->first ? EINTR : t->error;
	if (e == 0 && t->nlost)
		e = ENOMEM;
	t->interrupted = e == EINTR;
	if (!t->first)
		birth_detach_all(t);
	wake_close(&t->wake);
	t->stop = 0;
	t->busy--;
	errno = e;
	return e ? -1 : 0;
}

int pctx_set_events(pctx_t *pctx, ...)
{
	va_list ap;
	int r = 0, event;

	if (!pctx_is_handle(pctx)) {
		errno = EINVAL;
		return -1;
	}
	struct handlers *h = &pctx->h;
	va_start(ap, pctx);
	while (r == 0 && (event = va_arg(ap, int)) != PCTX_NULL_EVENT) {
		switch (event) {
		case PCTX_SYSC_EXEC_EVENT:
			h->exec = va_arg(ap, pctx_sysc_execfn_t *);
			break;
		case PCTX_SYSC_FORK_EVENT:
			h->fork = va_arg(ap, pctx_sysc_forkfn_t *);
			break;
		case PCTX_SYSC_EXIT_EVENT:
			h->exit = va_arg(ap, pctx_sysc_exitfn_t *);
			break;
		case PCTX_SYSC_LWP_CREATE_EVENT:
			h->lwp_create = va_arg(ap, pctx_sysc_lwp_createfn_t *);
			break;
		case PCTX_INIT_LWP_EVENT:
			h->init_lwp = va_arg(ap, pctx_init_lwpfn_t *);
			break;
		case PCTX_FINI_LWP_EVENT:
			h->fini_lwp = va_arg(ap, pctx_fini_lwpfn_t *);
			break;
		case PCTX_SYSC_LWP_EXIT_EVENT:
			h->lwp_exit = va_arg(ap, pctx_sysc_lwp_exitfn_t *);
			break;
		default:
			pctx_message(pctx->t, "set_events", "unknown event type %x",
				     (unsigned)event);
			errno = EINVAL;
			r = -1;
		}
	}
	va_end(ap);
	return r;
}

/*
 * Handles reports until no process is under control any more, for at most timeout ns; 0:
 * no limit.
 */
static void drain(struct tracer *t, int64_t timeout)
{
	static const struct timespec nap = {.tv_nsec = 200000};
	const int64_t end = clock_ns() + timeout;

	while (t->first && !t->stop && (timeout == 0 || clock_ns() < end)) {
		int status;
		const pid_t tid = waitpid(-1, &status, __WALL | WNOHANG);

		if (tid > 0)
			stops_handle(t, tid, status);
		else if (tid == 0)
			nanosleep(&nap, NULL);
		else if (errno != EINTR)
			break;
	}
}

/*
 * A captured process runs on when the caller ends. Its LWPs that do not stop (asleep in
 * vfork or in a file system) are therefore not waited for. A created process would be
 * killed.
 */
static void detach_all(struct tracer *t)
{
	for (struct __pctx *p = t->first, *next; p; p = next) {
		next = p->next;
		if (!p->detaching)
			proc_detach(p);
	}
	drain(t, t->created ? 0 : timeout_ns);
	birth_detach_all(t);
}

/* Releases the process of p, or all if p is the root, when the handler has returned. */
static void release_later(struct __pctx *p)
{
	struct tracer *t = p->t;

	t->leaving = 1;
	p->leaving = 1;
	for (struct __pctx *q = t->first; p == t->root && q; q = q->next)
		q->leaving = 1;
}

/*
 * A handler is called in the middle of what happens to an LWP, so nothing is freed then.
 * In a child of fork(2) the processes are not those of the caller.
 */
void pctx_release(pctx_t *pctx)
{
	if (!pctx_is_handle(pctx))
		return;
	struct tracer *t = pctx->t;
	if (pctx != t->root || tracer_is_busy()) {
		release_later(pctx);
		return;
	}
	t->stop = 0;
	if (t->thread == gettid())
		detach_all(t);
	tracer_free(t);
}

static void kill_process(pid_t pid)
{
	struct process p;

	if (process_open(&p, pid) == 0)
		process_signal(&p, SIGKILL);
	process_close(&p);
}

/* Kills the process of which, or all if which is the root. */
static void kill_processes(struct tracer *t, const struct __pctx *which)
{
	for (struct __pctx *p = t->first; p; p = p->next)
		if (which == t->root || p == which) {
			p->detaching = 1;
			kill_process(p->pid);
		}
}

void pctx_kill(pctx_t *pctx)
{
	if (!pctx_is_handle(pctx))
		return;
	struct tracer *t = pctx->t;
	const int traces = t->thread == gettid();
	if (traces)
		kill_processes(t, pctx);
	if (pctx != t->root)
		return;
	if (tracer_is_busy()) {
		t->error = ECANCELED;
		return;
	}
	t->stop = 0;
	if (traces) {
		drain(t, timeout_ns);
		birth_detach_all(t);
	}
	tracer_free(t);
}

int pctx_wait(pctx_t *pctx, int *status)
{
	if (!pctx_is_handle(pctx) || !status) {
		errno = EINVAL;
		return -1;
	}
	struct tracer *t = pctx->t;
	if (pctx_refuse_in_handler(t->errfn, "wait") == -1)
		return -1;
	if (pctx != t->root || t->thread != gettid()) {
		errno = ECHILD;
		return -1;
	}
	int e = 0;
	wake_open(&t->wake);
	detach_all(t);
	while (!t->ended && !t->stop && e == 0) {
		const pid_t tid = wake_wait(&t->wake, status);
		if (tid > 0)
			stops_handle(t, tid, *status);
		else if (errno != EINTR)
			e = errno;
	}
	if (!t->ended && t->stop)
		e = EINTR;
	wake_close(&t->wake);
	t->stop = 0;
	*status = t->status;
	errno = e;
	return e ? -1 : 0;
}

void pctx_follow(pctx_t *child, void *arg)
{
	if (!pctx_is_handle(child))
		return;
	child->follow = 1;
	child->arg = arg;
}

void pctx_stop(pctx_t *pctx)
{
	struct tracer *t = pctx ? pctx->t : NULL;

	if (!t)
		return;
	t->stop = 1;
	if (t->wake.open)
		wake_at(&t->wake, 1);
}

pid_t pctx_pid(const pctx_t *pctx)
{
	if (pctx && pctx->t)
		return pctx->pid;
	errno = EINVAL;
	return -1;
}

pid_t pctx_tid(pctx_t *pctx, id_t lwpid)
{
	const struct lwp *l = pctx ? lwp_by_number(pctx, lwpid) : NULL;

	if (!l) {
		errno = ESRCH;
		return -1;
	}
	return l->tid;
}

void **pctx_lwp_data(pctx_t *pctx, id_t lwpid)
{
	struct lwp *l = pctx ? lwp_by_number(pctx, lwpid) : NULL;

	if (!l) {
		errno = ESRCH;
		return NULL;
	}
	return &l->data;
}

unsigned long pctx_skipped(pctx_t *pctx)
{
	return pctx && pctx->t ? pctx->t->skipped : 0;
}

void pctx_walk_lwps(pctx_t *pctx, void (*action)(pctx_t *, pid_t, id_t, void *))
{
	if (!pctx_is_handle(pctx))
		return;
	struct tracer *t = pctx->t;
	t->busy++;
	for (struct __pctx *p = t->first; p; p = p->next)
		for (struct lwp *l = p->first; l && !p->detaching; l = l->next)
			action(p, p->pid, l->id, p->arg);
	t->busy--;
}
