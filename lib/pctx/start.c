#include "pctx/start.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/process.h"
#include "base/procfs.h"
#include "base/program.h"
#include "pctx/message.h"

static long options(int created)
{
	return PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
	       PTRACE_O_TRACEVFORKDONE | PTRACE_O_TRACEEXEC |
	       (created ? PTRACE_O_EXITKILL : 0);
}

int pctx_seize(pid_t tid, int created)
{
	return ptrace(PTRACE_SEIZE, tid, 0, options(created)) == -1 ? -1 : 0;
}

int pctx_seize_watched(pid_t tid)
{
	const long watched = PTRACE_O_TRACEEXIT | PTRACE_O_TRACESYSGOOD;

	return ptrace(PTRACE_SETOPTIONS, tid, 0, options(1) | watched) == -1 ? -1 : 0;
}

/*
 * Runs in the child: writes a byte to pipe failed, waits for a byte from pipe go, then
 * executes the program. errno of a failed exec is written to pipe failed; a successful
 * exec closes that pipe. Does not return, and must not use stdio.
 */
static void run_program(const char *file, char *const *argv, int go, int failed)
{
	char c = 0;
	ssize_t n = write(failed, &c, 1);

	while (n == 1 && (n = read(go, &c, 1)) == -1 && errno == EINTR)
		n = 1;
	if (n != 1)
		_exit(127);
	execvp(file, argv);
	const int e = errno;
	if (write(failed, &e, sizeof e) != (ssize_t)sizeof e)
		_exit(126);
	_exit(127);
}

/*
 * Waits until the child has written to pipe ran, or has died. A tracer of the caller that
 * does not follow the child has it from its birth, and detaches it before it runs.
 */
static void await_child(int ran)
{
	char c;

	while (read(ran, &c, 1) == -1 && errno == EINTR)
		;
}

/*
 * Attaches to the child and lets it run until as many execs as given have succeeded.
 * Returns 0, or the errno of the exec, or ECHILD with the signal that killed the child in
 * *killer (0 if it exited), or with *traced 0 the errno of ptrace(2).
 */
static int start(pid_t pid, int go, int failed, int execs, int *traced, int *killer)
{
	int st, e = 0;

	*traced = pctx_seize(pid, 1) == 0;
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
		if (st >> 16 == PTRACE_EVENT_EXEC && --execs == 0)
			return 0;
		ptrace(PTRACE_CONT, pid, 0, st >> 16 ? 0L : (long)WSTOPSIG(st));
	}
	if (read(failed, &e, sizeof e) != (ssize_t)sizeof e) {
		e = ECHILD;
		*killer = WIFSIGNALED(st) ? WTERMSIG(st) : 0;
	}
	return e;
}

/*
 * Reports that the program could not be executed. The kernel sends SIGSEGV to a process
 * whose new program it cannot map. Returns errno.
 */
static int exec_failed(const struct tracer *t, const char *file, int e, int killer)
{
	char reason[512], path[PATH_MAX];

	program_reason(file, &e, reason, sizeof reason);
	if (e == ECHILD && t->launcher) {
		e = ENOTSUP;
		pctx_message(
			t, "create",
			"cannot start a program behind '%s', which ended before the "
			"program began; a limit such as ulimit -v may be too low for it",
			file);
	} else if (e == ECHILD && killer)
		pctx_message(t, "create",
			     "cannot execute program '%s': signal %d killed it before it "
			     "began%s",
			     file, killer,
			     killer == SIGSEGV ? "; its file may be damaged" : "");
	else if (e == ECHILD)
		pctx_message(t, "create",
			     "cannot execute program '%s': its process ended before it "
			     "began",
			     file);
	else if ((e == ENOENT || e == ENOTDIR) && program_find(file, path) != 0)
		pctx_message(t, "create", "cannot find program '%s'", file);
	else
		pctx_message(t, "create", "cannot execute program '%s': %s", file,
			     reason);
	return e;
}

/*
 * Returns 1 if the child pid, which is not reaped, has ended; with the signal that killed
 * it in *killer, or 0. A process that has ended cannot be traced: EPERM.
 */
static int has_ended(pid_t pid, int *killer)
{
	siginfo_t info = {0};

	if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == -1 ||
	    info.si_pid == 0)
		return 0;
	*killer = info.si_code == CLD_KILLED ? info.si_status : 0;
	return 1;
}

/*
 * Reports that the program could not be started. The child still exists if it could not
 * be traced, so its tracer can be named. Returns errno.
 */
static int create_failed(const struct tracer *t, pid_t pid, const char *file, int e,
			 int traced, int killer)
{
	char rule[160], name[96];
	int sig = 0;
	const int ended = !traced && has_ended(pid, &sig);
	const char *tracer = traced || ended ? NULL : pctx_tracer(pid, name, sizeof name);

	if (sig) {
		e = ESRCH;
		pctx_message(t, "create",
			     "cannot trace program '%s': signal %d killed it before it "
			     "began",
			     file, sig);
	} else if (ended)
		return exec_failed(t, file, ECHILD, 0);
	else if (tracer)
		pctx_message(
			t, "create",
			"cannot trace program '%s': it is already being traced by %s",
			file, tracer);
	else if (!traced && e == EPERM)
		pctx_message(t, "create", "cannot trace program '%s': %s", file,
			     pctx_seize_rule(rule, sizeof rule));
	else if (!traced)
		pctx_message(t, "create", "cannot trace program '%s': %s", file,
			     strerror(e));
	else
		return exec_failed(t, file, e, killer);
	return e;
}

/* Kills a child and reaps it, unless it has been reaped already. */
static void kill_child(const struct process *child)
{
	pid_t found;
	int st;

	if (process_signal(child, SIGKILL) == -1)
		return;
	do
		found = waitpid(child->pid, &st, __WALL);
	while (found == -1 ? errno == EINTR : WIFSTOPPED(st));
}

int pctx_try_seize(void)
{
	int ran[2];

	if (pipe2(ran, O_CLOEXEC) == -1)
		return errno;
	const pid_t pid = fork();
	int e = errno;
	if (pid == 0) {
		if (write(ran[1], "", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	close(ran[1]);
	if (pid > 0) {
		struct process child;

		process_open(&child, pid);
		await_child(ran[0]);
		e = pctx_seize(pid, 1) == -1 ? errno : 0;
		kill_child(&child);
		process_close(&child);
	}
	close(ran[0]);
	return e;
}

/* Returns the child's pid, stopped before the program's first instruction, or -1. */
static pid_t spawn(const struct tracer *t, const char *file, char *const *argv)
{
	int go[2] = {-1, -1}, failed[2] = {-1, -1}, traced = 1, killer = 0;
	struct process child = {.fd = -1};
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
	process_open(&child, pid);
	close(failed[1]);
	failed[1] = -1;
	await_child(failed[0]);
	e = start(pid, go[1], failed[0], t->launcher ? 2 : 1, &traced, &killer);
	const char *spoiled = e ? NULL : procfs_exec_spoiled(pid);
	if (spoiled) {
		e = EPERM;
		pctx_message(t, "create",
			     "cannot trace set-id or unreadable program '%s'", file);
	} else if (e) {
		e = create_failed(t, pid, file, e, traced, killer);
	}
	if (e)
		kill_child(&child);
done:
	process_close(&child);
	for (int i = 0; i < 2; i++) {
		if (go[i] != -1)
			close(go[i]);
		if (failed[i] != -1)
			close(failed[i]);
	}
	errno = e;
	return e ? -1 : pid;
}

/* Reports that a program was not started for want of memory, and sets errno. */
static void no_memory(pctx_errfn_t *errfn, const char *file)
{
	errno = ENOMEM;
	pctx_message(&(struct tracer){.errfn = errfn}, "create",
		     "cannot trace program '%s': %s", file, strerror(ENOMEM));
}

/* Returns the root of t, or frees t and returns NULL with errno. */
static pctx_t *create(struct tracer *t, const char *file, char *const *argv, void *arg)
{
	const pid_t pid = spawn(t, file, argv);
	if (pid == -1)
		goto fail;
	struct lwp *l = lwp_new(t, pid, LWP_ANNOUNCED);
	t->root = proc_new(t, pid, NULL);
	if (!l || !t->root) {
		struct process child;

		process_open(&child, pid);
		kill_child(&child);
		process_close(&child);
		no_memory(t->errfn, file);
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

pctx_t *pctx_create(const char *file, char *const *argv, void *arg, int verbose,
		    pctx_errfn_t *errfn)
{
	if (!file || !argv) {
		errno = EINVAL;
		return NULL;
	}
	if (pctx_refuse_in_handler(errfn, "create") == -1)
		return NULL;
	struct tracer *t = tracer_new(1, verbose, errfn);
	if (t)
		return create(t, file, argv, arg);
	no_memory(errfn, file);
	return NULL;
}

pctx_t *pctx_create_behind(char *const *argv, void *arg, int verbose, pctx_errfn_t *errfn)
{
	if (!argv || !argv[0]) {
		errno = EINVAL;
		return NULL;
	}
	if (pctx_refuse_in_handler(errfn, "create") == -1)
		return NULL;
	struct tracer *t = tracer_new(1, verbose, errfn);
	if (!t) {
		no_memory(errfn, argv[0]);
		return NULL;
	}
	t->launcher = realpath(argv[0], NULL);
	if (!t->launcher) {
		const int e = errno;

		if (e == ENOMEM)
			no_memory(errfn, argv[0]);
		else
			pctx_message(t, "create", "cannot find program '%s'", argv[0]);
		tracer_free(t);
		errno = e;
		return NULL;
	}
	return create(t, argv[0], argv, arg);
}
