/* pctx_capture(): attaching to a process that already runs. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <libpctx.h>
#include "base/procfs.h"
#include "pctx/message.h"
#include "pctx/start.h"

enum { PF_KTHREAD = 0x00200000 }; /* proc(5), stat field 9 */

/*
 * LWPs are numbered in the order of their tids, but the first thread comes first.
 * seize_one() gives them numbers of this order, and then renumber() gives them those from
 * 1 on.
 */
static id_t rank(const struct __pctx *p, pid_t tid)
{
	return tid == p->pid ? 1 : 1 + (id_t)tid;
}

static void renumber(struct __pctx *p)
{
	for (struct lwp *l = p->first; l; l = l->next)
		l->id = ++p->last_id;
}

/*
 * Attaches to an LWP. Returns 1 if it is new. Returns 0 if it has ended, or if an
 * attached LWP has created it: its first stop is reported later. Returns -1 with errno on
 * failure.
 */
static int seize_one(struct __pctx *p, pid_t tid, int first)
{
	struct lwp *l = lwp_new(p->t, tid, LWP_ANNOUNCED);

	if (!l)
		return -1;
	if (pctx_seize(tid, 0) == 0) {
		l->id = rank(p, tid);
		lwp_join(l, p);
		return 1;
	}
	const int e = errno;
	lwp_drop(p->t, l);
	const long tracer = procfs_status(tid, "TracerPid:", 1);
	const int other_tracer = tracer > 0 && tracer != getpid();
	errno = e;
	return !first && !other_tracer && (e == EPERM || e == ESRCH) ? 0 : -1;
}

/*
 * Attaches to all LWPs in dir that are not in the table yet. Returns how many are new, or
 * -1 with errno if *tid cannot be attached.
 */
static int seize_pass(struct __pctx *p, DIR *dir, pid_t *tid)
{
	const struct dirent *d;
	int found = 0;

	rewinddir(dir);
	while ((d = readdir(dir))) {
		*tid = (pid_t)strtol(d->d_name, NULL, 10);
		if (*tid <= 0 || lwp_find(p->t, *tid))
			continue;
		const int r = seize_one(p, *tid, 0);
		if (r == -1)
			return -1;
		found += r;
	}
	return found;
}

/*
 * Attaches to all LWPs of a process. Returns 0, or -1 with errno if *tid cannot be
 * attached. The first thread comes first, so that a failure is explained for the process.
 */
static int seize_all(struct __pctx *p, pid_t *tid)
{
	char path[64];
	int quiet = 0;

	*tid = p->pid;
	snprintf(path, sizeof path, "/proc/%d/task", (int)p->pid);
	DIR *dir = opendir(path);
	if (!dir) {
		errno = errno == ENOENT ? ESRCH : errno;
		return -1;
	}
	int r = seize_one(p, p->pid, 1);
	/*
	 * A pass can miss a thread that is created meanwhile: two must find no new one.
	 */
	while (r >= 0 && quiet < 2) {
		r = seize_pass(p, dir, tid);
		quiet = r == 0 ? quiet + 1 : 0;
	}
	const int e = errno;
	closedir(dir);
	errno = e;
	return r < 0 ? -1 : 0;
}

/* Reports why LWP tid of process pid cannot be attached; e: errno. */
static void capture_failed(const struct tracer *t, pid_t pid, pid_t tid, int e)
{
	char rule[160], name[96];
	const char *tracer = e == EPERM ? pctx_tracer(tid, name, sizeof name) : NULL;
	unsigned flags;

	procfs_state(pid, &flags);
	if (e == ESRCH)
		pctx_message(t, "capture", "pid %d doesn't exist", (int)pid);
	else if (tracer && tid != pid)
		pctx_message(t, "capture",
			     "thread %d of pid %d is already being traced by %s",
			     (int)tid, (int)pid, tracer);
	else if (tracer)
		pctx_message(t, "capture", "pid %d is already being traced by %s",
			     (int)pid, tracer);
	else if (flags & PF_KTHREAD)
		pctx_message(t, "capture", "pid %d is a system process", (int)pid);
	else if (e == EPERM)
		pctx_message(t, "capture", "pid %d: permission denied: %s", (int)pid,
			     pctx_seize_rule(rule, sizeof rule));
	else
		pctx_message(t, "capture", "pid %d: %s", (int)pid, strerror(e));
}

/* Returns 0, or reports why this pid cannot be captured at all and returns an errno. */
static int check_pid(const struct tracer *t, pid_t pid)
{
	unsigned flags;
	const char state = procfs_state(pid, &flags);
	const long tgid = procfs_status(pid, "Tgid:", 1);

	if (pid == getpid()) {
		pctx_message(t, "capture", "cannot capture self!");
		return EINVAL;
	}
	if (state == 'Z' && procfs_status(pid, "Threads:", 1) > 1) {
		pctx_message(
			t, "capture",
			"pid %d cannot be captured: its first thread has ended, other "
			"threads still run",
			(int)pid);
		return ESRCH;
	}
	if (state == 'Z') {
		pctx_message(t, "capture", "pid %d is a zombie", (int)pid);
		return ESRCH;
	}
	if (tgid > 0 && tgid != pid) {
		pctx_message(t, "capture", "pid %d is a thread of process %ld", (int)pid,
			     tgid);
		return ESRCH;
	}
	return 0;
}

pctx_t *pctx_capture(pid_t pid, void *arg, int verbose, pctx_errfn_t *errfn)
{
	const struct tracer none = {.errfn = errfn};
	pid_t tid = pid;

	if (pctx_refuse_in_handler(errfn, "capture") == -1)
		return NULL;
	int e = check_pid(&none, pid);
	if (e) {
		errno = e;
		return NULL;
	}
	struct tracer *t = tracer_new(0, verbose, errfn);
	if (t)
		t->root = proc_new(t, pid, NULL);
	if (t && t->root && seize_all(t->root, &tid) == 0) {
		renumber(t->root);
		t->root->arg = arg;
		return t->root;
	}
	e = errno;
	capture_failed(&none, pid, tid, e);
	/* The threads that were attached already run on. */
	if (t && t->root)
		pctx_release(t->root);
	else
		tracer_free(t);
	errno = e;
	return NULL;
}
