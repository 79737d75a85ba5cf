/* What else a tracer can see and change of the LWPs that pctx_run(3CPC) controls. */
#ifndef PCTX_WATCH_H
#define PCTX_WATCH_H

#include <signal.h>
#include <sys/types.h>
#include <sys/user.h>

#include <libpctx.h>

/* Called with an LWP that is stopped, and with the argument of its handle. */
struct pctx_watch {
	/*
	 * The LWP will get signal sig. Returns the signal that it gets, 0 for none. If
	 * this is another one, pctx_set_signal() gives its siginfo_t.
	 */
	int (*signal)(pctx_t *pctx, pid_t pid, id_t lwpid, int sig, void *arg);
	/*
	 * The LWP is ending. The memory of its process can still be read. This is not
	 * called for an LWP whose end another LWP's exec causes, if the kernel does not
	 * report it, and for one that executes.
	 */
	void (*ending)(pctx_t *pctx, pid_t pid, id_t lwpid, void *arg);
	/*
	 * The LWP has created a process by fork(2) or vfork(2), and runs on only when
	 * this returns. The fork handler is called later.
	 */
	void (*forked)(pctx_t *pctx, pid_t pid, id_t lwpid, pid_t child, void *arg);
	/* A system call of the LWP begins or ends; see pctx_watch_calls(). */
	void (*call)(pctx_t *pctx, pid_t pid, id_t lwpid, void *arg);
};

/*
 * From now on *w, which the caller keeps, is called for all processes of the run. pctx is
 * the handle of a program that pctx_create() has started and that does not run yet.
 * Returns 0, or -1 with errno of ptrace(2).
 */
int pctx_watch(pctx_t *pctx, const struct pctx_watch *w);

/* Whether system calls of an LWP are watched, which takes some microseconds for each. */
void pctx_watch_calls(pctx_t *pctx, id_t lwpid, int on);

/*
 * The registers of a stopped LWP, by its kernel's thread id. Returns 0, or -1 with ESRCH
 * if it was killed meanwhile.
 */
int pctx_registers(pid_t tid, struct user_regs_struct *r);
int pctx_set_registers(pid_t tid, const struct user_regs_struct *r);

/* The signal for which an LWP is stopped, and the one that it gets. As above. */
int pctx_signal(pid_t tid, siginfo_t *info);
int pctx_set_signal(pid_t tid, const siginfo_t *info);

/* Make a stopped LWP not block a signal. As above. */
int pctx_unblock(pid_t tid, int sig);

#endif
