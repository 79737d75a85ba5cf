#include "libpctx_start.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

enum { PF_KTHREAD = 0x00200000 }; /* proc(5), stat field 9 */

static const long trace_options = PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK |
				  PTRACE_O_TRACEVFORK | PTRACE_O_TRACEVFORKDONE |
				  PTRACE_O_TRACEEXEC;

void pctx_message(const struct tracer *t, const char *fn, const char *fmt, ...)
{
	const int saved = errno;
	va_list ap;

	va_start(ap, fmt);
	if (t->errfn) {
		t->errfn(fn, fmt, ap);
	} else {
		fprintf(stderr, "libpctx: pctx_%s: ", fn);
		vfprintf(stderr, fmt, ap);
		fputc('\n', stderr);
	}
	va_end(ap);
	errno = saved;
}

/* A file of /proc/PID as a string. NULL: gone, or not ours to read. */
static char *proc_text(pid_t pid, const char *name, char *buf, size_t size)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd == -1)
		return NULL;
	const ssize_t n = read(fd, buf, size - 1);
	close(fd);
	if (n < 0)
		return NULL;
	buf[n] = '\0';
	return buf;
}

/*
 * The number after "Name:" in /proc/PID/status; field 1 is the first of several. -1:
 * none.
 */
static long status_field(pid_t pid, const char *name, int field)
{
	char buf[4096];
	const char *s = proc_text(pid, "status", buf, sizeof buf);
	const size_t len = strlen(name);

	while (s && strncmp(s, name, len) != 0) {
		s = strchr(s, '\n');
		if (s)
			s++;
	}
	if (!s)
		return -1;
	char *end = (char *)s + len;
	long v = -1;
	for (int i = 0; i < field; i++)
		v = strtol(end, &end, 10);
	return v;
}

pid_t pctx_origin(pid_t tid)
{
	const pid_t pid = (pid_t)status_field(tid, "Tgid:", 1);

	return pid != tid ? pid : (pid_t)status_field(tid, "PPid:", 1);
}

/*
 * State letter and flags of /proc/PID/stat. The command name before them may hold
 * anything but a last ')'.
 */
static char process_state(pid_t pid, unsigned *flags)
{
	char buf[1024], state = '?';
	const char *s = proc_text(pid, "stat", buf, sizeof buf);

	*flags = 0;
	s = s ? strrchr(s, ')') : NULL;
	if (s)
		sscanf(s + 1, " %c %*d %*d %*d %*d %*d %u", &state, flags);
	return state;
}

const char *exec_spoiled(pid_t pid)
{
	enum { EFFECTIVE = 2 }; /* of "Uid: real effective saved fs" */
	struct stat st;
	struct statvfs fs;
	char path[64];

	snprintf(path, sizeof path, "/proc/%d/exe", (int)pid);
	if (stat(path, &st) == -1)
		return errno == EACCES ? "unreadable" : NULL;
	if (geteuid() != 0 && access(path, R_OK) == -1 && errno == EACCES)
		return "unreadable";
	const int caps =
		geteuid() != 0 && getxattr(path, "security.capability", NULL, 0) > 0;
	if (!(st.st_mode & (S_ISUID | S_ISGID)) && !caps)
		return NULL;
	if (statvfs(path, &fs) == 0 && (fs.f_flag & ST_NOSUID))
		return NULL;
	if ((st.st_mode & S_ISUID) &&
	    status_field(pid, "Uid:", EFFECTIVE) != (long)st.st_uid)
		return "set-id";
	if ((st.st_mode & S_ISGID) && (st.st_mode & S_IXGRP) &&
	    status_field(pid, "Gid:", EFFECTIVE) != (long)st.st_gid)
		return "set-id";
	return caps ? "set-id" : NULL;
}

/* Which rule forbids to trace, for EPERM of PTRACE_SEIZE. */
static const char *seize_rule(char *buf, size_t size)
{
	char text[16] = "";
	const int fd = open("/proc/sys/kernel/yama/ptrace_scope", O_RDONLY | O_CLOEXEC);

	if (fd != -1) {
		if (read(fd, text, sizeof text - 1) <= 0)
			text[0] = '\0';
		close(fd);
	}
	const int scope = atoi(text);
	if (scope >= 3)
		snprintf(buf, size, "kernel.yama.ptrace_scope=%d forbids all tracing",
			 scope);
	else if (scope > 0 && geteuid() != 0)
		snprintf(
			buf, size,
			"kernel.yama.ptrace_scope=%d wants CAP_SYS_PTRACE (root), or the program started by us",
			scope);
	else if (geteuid() != 0)
		snprintf(
			buf, size,
			"it has another owner, or is set-id; CAP_SYS_PTRACE (root) is needed");
	else
		snprintf(
			buf, size,
			"CAP_SYS_PTRACE is missing (container?), or a security module forbids it");
	return buf;
}

/*
 * The child waits until it is traced, then runs the program. It must not touch stdio or
 * return; errno of a failed exec goes through the pipe, which a successful one closes.
 */
static void run_program(const char *file, char *const *argv, int go, int failed)
{
	char c;

	if (read(go, &c, 1) != 1)
		_exit(127);
	execvp(file, argv);
	const int e = errno;
	if (write(failed, &e, sizeof e) != (ssize_t)sizeof e)
		_exit(126);
	_exit(127);
}

/*
 * Let the child run into its exec. 0, or the errno of the exec, or of ptrace (with
 * *traced 0).
 */
static int start(pid_t pid, int go, int failed, int *traced)
{
	int st, e = 0;

	*traced = ptrace(PTRACE_SEIZE, pid, 0, trace_options | PTRACE_O_EXITKILL) == 0;
	if (!*traced)
		return errno;
	if (write(go, "", 1) != 1)
		return errno;
	for (;;) {
		if (waitpid(pid, &st, __WALL) == -1) {
			if (errno == EINTR)
				continue;
			return errno;
		}
		if (!WIFSTOPPED(st))
			break;
		if (st >> 16 == PTRACE_EVENT_EXEC)
			return 0;
		ptrace(PTRACE_CONT, pid, 0, st >> 16 ? 0L : (long)WSTOPSIG(st));
	}
	if (read(failed, &e, sizeof e) != (ssize_t)sizeof e)
		e = ECHILD;
	return e;
}

/* "'NAME' (pid N)" of the process that traces pid. NULL: nobody does. */
static const char *traced_by(pid_t pid, char *buf, size_t size)
{
	const long tracer = status_field(pid, "TracerPid:", 1);
	char name[64] = "?";

	if (tracer <= 0)
		return NULL;
	proc_text((pid_t)tracer, "comm", name, sizeof name);
	name[strcspn(name, "\n")] = '\0';
	snprintf(buf, size, "'%s' (pid %ld)", name, tracer);
	return buf;
}

/* The child that could not be traced is still there. */
static void create_failed(const struct tracer *t, pid_t pid, const char *file, int e,
			  int traced)
{
	char rule[160], name[96];
	const char *tracer = traced ? NULL : traced_by(pid, name, sizeof name);

	if (tracer)
		pctx_message(
			t, "create",
			"cannot trace program '%s': it is already being traced by %s",
			file, tracer);
	else if (!traced && e == EPERM)
		pctx_message(t, "create", "cannot trace program '%s': %s", file,
			     seize_rule(rule, sizeof rule));
	else if (!traced)
		pctx_message(t, "create", "cannot trace program '%s': %s", file,
			     strerror(e));
	else if (e == ENOENT || e == ENOTDIR)
		pctx_message(t, "create", "cannot find program '%s'", file);
	else
		pctx_message(t, "create", "cannot execute program '%s': %s", file,
			     strerror(e));
}

/* One that has ended may have been waited for, and its number may be another's by now. */
static void stop_child(pid_t pid)
{
	int st;
	const pid_t found = waitpid(pid, &st, __WALL | WNOHANG);

	if (found == 0 || (found == pid && WIFSTOPPED(st)))
		kill(pid, SIGKILL);
	while (waitpid(pid, NULL, __WALL) == -1 && errno == EINTR)
		;
}

int pctx_try(void)
{
	const pid_t pid = fork();

	if (pid == -1)
		return errno;
	if (pid == 0)
		for (;;)
			pause();
	const int e = ptrace(PTRACE_SEIZE, pid, 0, PTRACE_O_EXITKILL) == -1 ? errno : 0;
	stop_child(pid);
	return e;
}

/* The child's pid once it is stopped at the start of the program, or -1 with errno. */
static pid_t spawn(const struct tracer *t, const char *file, char *const *argv)
{
	int go[2] = {-1, -1}, failed[2] = {-1, -1}, traced = 1;
	pid_t pid = -1;
	int e = 0;

	if (pipe2(go, O_CLOEXEC) == -1 || pipe2(failed, O_CLOEXEC) == -1 ||
	    (pid = fork()) == -1) {
		e = errno;
		pctx_message(t, "create", "cannot fork, program '%s': %s", file,
			     strerror(e));
		goto done;
	}
	if (pid == 0) {
		close(go[1]);
		run_program(file, argv, go[0], failed[1]);
	}
	close(failed[1]);
	failed[1] = -1;
	e = start(pid, go[1], failed[0], &traced);
	const char *spoiled = e ? NULL : exec_spoiled(pid);
	if (spoiled) {
		e = EPERM;
		pctx_message(t, "create",
			     "cannot trace set-id or unreadable program '%s'", file);
	} else if (e) {
		create_failed(t, pid, file, e, traced);
	}
	if (e)
		stop_child(pid);
done:
	for (int i = 0; i < 2; i++) {
		if (go[i] != -1)
			close(go[i]);
		if (failed[i] != -1)
			close(failed[i]);
	}
	errno = e;
	return e ? -1 : pid;
}

pctx_t *pctx_create(const char *file, char *const *argv, void *arg, int verbose,
		    pctx_errfn_t *errfn)
{
	struct tracer *t = tracer_new(1, verbose, errfn);

	if (!t)
		return NULL;
	const pid_t pid = spawn(t, file, argv);
	if (pid == -1)
		goto fail;
	struct lwp *l = lwp_new(t, pid, LWP_ANNOUNCED);
	t->root = proc_new(t, pid, NULL);
	if (!l || !t->root) {
		stop_child(pid);
		errno = ENOMEM;
		goto fail;
	}
	t->root->arg = arg;
	lwp_join(l, t->root);
	l->stopped = 1;
	l->stop = SIGTRAP;
	return t->root;
fail:;
	const int e = errno;
	tracer_free(t);
	errno = e;
	return NULL;
}

static int by_tid(const void *a, const void *b)
{
	const pid_t x = *(const pid_t *)a, y = *(const pid_t *)b;

	return (x > y) - (x < y);
}

/*
 * Seize the tasks of the process that are there now and not yet ours; found gets those
 * that are new. EPERM for a task means that a seized one has created it: its first stop
 * will come by itself.
 */
static int seize_pass(struct tracer *t, pid_t pid, DIR *dir, unsigned *found)
{
	struct dirent *d;

	*found = 0;
	rewinddir(dir);
	while ((d = readdir(dir))) {
		const pid_t tid = (pid_t)strtol(d->d_name, NULL, 10);

		if (tid <= 0 || lwp_find(t, tid))
			continue;
		if (ptrace(PTRACE_SEIZE, tid, 0, trace_options) == -1) {
			if (tid == pid || (errno != EPERM && errno != ESRCH))
				return -1;
			continue;
		}
		if (!lwp_new(t, tid, LWP_ANNOUNCED))
			return -1;
		++*found;
	}
	return 0;
}

/* Number the seized LWPs in the order of their tids, the first one first. */
static int join_all(struct tracer *t, struct __pctx *p)
{
	const unsigned n = t->nlwps;
	pid_t *tid = malloc(n * sizeof *tid);
	unsigned k = 0;

	if (!tid)
		return -1;
	for (unsigned i = 0; i < t->nbuckets; i++)
		for (const struct lwp *l = t->bucket[i]; l; l = l->chain)
			tid[k++] = l->tid;
	qsort(tid, n, sizeof *tid, by_tid);
	lwp_join(lwp_find(t, p->pid), p);
	for (unsigned i = 0; i < n; i++)
		if (tid[i] != p->pid)
			lwp_join(lwp_find(t, tid[i]), p);
	free(tid);
	return 0;
}

static int seize_all(struct tracer *t, pid_t pid)
{
	char path[64];
	int quiet = 0;

	snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
	DIR *dir = opendir(path);
	if (!dir) {
		errno = ESRCH;
		return -1;
	}
	/* The first thread first: its refusal is the one to explain. */
	int r = ptrace(PTRACE_SEIZE, pid, 0, trace_options) == -1 ||
				!lwp_new(t, pid, LWP_ANNOUNCED)
			? -1
			: 0;
	/*
	 * A thread may be created behind the reader's back: two passes must find nothing.
	 */
	while (r == 0 && quiet < 2) {
		unsigned found;

		r = seize_pass(t, pid, dir, &found);
		quiet = found ? 0 : quiet + 1;
	}
	const int e = errno;
	closedir(dir);
	errno = e;
	return r;
}

static void capture_failed(const struct tracer *t, pid_t pid, int e)
{
	char rule[160], name[96];
	const char *tracer = e == EPERM ? traced_by(pid, name, sizeof name) : NULL;
	unsigned flags;

	process_state(pid, &flags);
	if (e == ESRCH)
		pctx_message(t, "capture", "pid %d doesn't exist", (int)pid);
	else if (tracer)
		pctx_message(t, "capture", "pid %d is already being traced by %s",
			     (int)pid, tracer);
	else if (flags & PF_KTHREAD)
		pctx_message(t, "capture", "pid %d is a system process", (int)pid);
	else if (e == EPERM)
		pctx_message(t, "capture", "pid %d: permission denied: %s", (int)pid,
			     seize_rule(rule, sizeof rule));
	else
		pctx_message(t, "capture", "pid %d: %s", (int)pid, strerror(e));
}

/* 0, or the errno for a pid that cannot be captured whatever the privilege. */
static int check_pid(const struct tracer *t, pid_t pid)
{
	unsigned flags;
	const char state = process_state(pid, &flags);
	const long tgid = status_field(pid, "Tgid:", 1);

	if (pid == getpid()) {
		pctx_message(t, "capture", "cannot capture self!");
		return EINVAL;
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
	struct tracer *t = tracer_new(0, verbose, errfn);

	if (!t)
		return NULL;
	int e = check_pid(t, pid);
	if (e)
		goto fail;
	if (seize_all(t, pid) == -1) {
		e = errno;
		capture_failed(t, pid, e);
		goto fail;
	}
	t->root = proc_new(t, pid, NULL);
	if (!t->root || join_all(t, t->root) == -1) {
		e = ENOMEM;
		goto fail;
	}
	t->root->arg = arg;
	return t->root;
fail:
	tracer_free(t);
	errno = e;
	return NULL;
}
