#include "pctx/exec.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <unistd.h>

#include "base/procfs.h"
#include "pctx/control.h"
#include "pctx/message.h"
#include "pctx/stopcount.h"

enum { ARGS_SIZE = 80 }; /* bytes of a command line, as PRARGSZ of Solaris' proc(4) */

/* A file that is read byte by byte, without an allocation. */
struct reader {
	int fd;
	size_t at, n; /* the next byte of buf, and the bytes that it has */
	char buf[512];
};

/* Returns -1 at the end of the file, and if it cannot be read. */
static int next_byte(struct reader *r)
{
	if (r->at == r->n) {
		const ssize_t n = read(r->fd, r->buf, sizeof r->buf);

		if (n <= 0)
			return -1;
		r->at = 0;
		r->n = (size_t)n;
	}
	return (unsigned char)r->buf[r->at++];
}

/*
 * Skips a launcher's name, its options and "--" in a file of NUL-terminated words.
 * Returns the first byte of the next word, or -1 if there is none.
 */
static int skip_launcher(struct reader *r)
{
	int c = next_byte(r);

	while (c > 0)
		c = next_byte(r);
	while (c == 0 && (c = next_byte(r)) == '-') {
		char word[3] = "";

		for (size_t i = 0; c > 0; c = next_byte(r))
			if (i < sizeof word)
				word[i++] = (char)c;
		if (memcmp(word, "--", sizeof word) == 0)
			return c == 0 ? next_byte(r) : -1;
	}
	return c;
}

/*
 * Reads the command line with blanks between the arguments, cut to buf as Solaris does. A
 * launcher and its options are left out. Returns buf, or NULL if the command line cannot
 * be read.
 */
static char *read_args(const struct __pctx *p, char buf[ARGS_SIZE])
{
	struct reader r = {.at = 0};
	char path[64];
	size_t n = 0;

	snprintf(path, sizeof path, "/proc/%d/cmdline", (int)p->pid);
	r.fd = open(path, O_RDONLY | O_CLOEXEC);
	if (r.fd == -1)
		return NULL;
	int c = p->launched ? skip_launcher(&r) : next_byte(&r);
	for (; c >= 0 && n < ARGS_SIZE - 1; c = next_byte(&r))
		buf[n++] = (char)c;
	close(r.fd);
	while (n > 0 && buf[n - 1] == '\0')
		n--;
	for (size_t i = 0; i < n; i++)
		if (buf[i] == '\0')
			buf[i] = ' ';
	buf[n] = '\0';
	return n ? buf : NULL;
}

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
	const int ends =
		!p->h.exec || p->h.exec(p, p->pid, l->id, read_args(p, args), p->arg);
	if (!procfs_exec_spoiled(p->pid))
		return ends;
	pctx_message(p->t, "run", "%d: execed a program that cannot be tracked",
		     (int)p->pid);
	return 1;
}

void exec_event(struct tracer *t, struct lwp *leader)
{
	struct __pctx *p = leader->proc;

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
