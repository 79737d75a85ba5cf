/*
 * libpctx: control a process and follow its LWPs, forks, execs and exits, after Solaris
 * libpctx(3LIB).
 *
 * A pctx_t is the handle of one process. LWPs are numbered in each process, 1 for the
 * first; a number is not used again before the next exec. The library uses ptrace(2): a
 * program can have one pctx_run() at a time, in the thread that created the handle, and
 * while it runs it collects every child process of the caller. In a handler, pctx_run(),
 * pctx_wait(), pctx_create() and pctx_capture() fail with EBUSY, and pctx_release() and
 * pctx_kill() take effect when the handler has returned and do not free the handle. If a
 * pointer must not be NULL but is, calls fail with EINVAL, or do nothing if they cannot
 * fail. Source: pctx_create(3CPC) and the pages that it names. "Ours" marks what Solaris
 * does not have.
 *
 * Differences on Linux: all handlers of one pctx_run() are called in the caller's
 * process, also for followed children (Solaris forked a controller for each); the
 * handlers of FINI_LWP, SYSC_LWP_EXIT and SYSC_EXIT are called when the LWP has ended,
 * and its counts can still be sampled (cpc_set_sample); the process is not stopped for a
 * tick.
 */
#ifndef LIBPCTX_H
#define LIBPCTX_H

#include <stdarg.h>
#include <sys/types.h>

/* In strict ISO C glibc does not define id_t; this macro says whether it has. */
#if defined(__GLIBC__) && !defined(__id_t_defined)
typedef __id_t id_t;
#define __id_t_defined
#endif

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef struct __pctx pctx_t;
typedef unsigned int uint_t;

typedef void(pctx_errfn_t)(const char *fn, const char *fmt, va_list ap);

typedef enum {
	PCTX_NULL_EVENT = 0,
	/* int (pctx, pid, lwpid, char *cmd, arg); nonzero releases the process */
	PCTX_SYSC_EXEC_EVENT,
	/* void (pctx of the child, pid, lwpid, child pid, arg); see pctx_follow */
	PCTX_SYSC_FORK_EVENT,
	/* void (pctx, pid, lwpid, int status as of waitpid(2), arg) */
	PCTX_SYSC_EXIT_EVENT,
	/* the other handlers: int (pctx, pid, lwpid, arg) */
	PCTX_SYSC_LWP_CREATE_EVENT, /* nonzero releases the process */
	PCTX_INIT_LWP_EVENT,	    /* nonzero releases the process */
	PCTX_FINI_LWP_EVENT,	    /* the result is ignored */
	PCTX_SYSC_LWP_EXIT_EVENT    /* the result is ignored */
} pctx_event_t;

typedef int pctx_sysc_execfn_t(pctx_t *, pid_t, id_t, char *, void *);
typedef void pctx_sysc_forkfn_t(pctx_t *, pid_t, id_t, pid_t, void *);
typedef void pctx_sysc_exitfn_t(pctx_t *, pid_t, id_t, int, void *);
typedef int pctx_sysc_lwp_createfn_t(pctx_t *, pid_t, id_t, void *);
typedef int pctx_init_lwpfn_t(pctx_t *, pid_t, id_t, void *);
typedef int pctx_fini_lwpfn_t(pctx_t *, pid_t, id_t, void *);
typedef int pctx_sysc_lwp_exitfn_t(pctx_t *, pid_t, id_t, void *);

/*
 * Starts a program (file is looked up in PATH) and stops it before its first instruction.
 * If the caller dies, the program is killed. Every handler gets arg. Returns the handle,
 * or NULL with errno of the exec (ENOENT, EACCES, ...), EAGAIN, or EPERM (ptrace is not
 * allowed); errfn (NULL: stderr) gets the reason, a line that ends with a newline, for
 * vprintf(3).
 */
pctx_t *pctx_create(const char *file, char *const *argv, void *arg, int verbose,
		    pctx_errfn_t *errfn);

/*
 * Ours. As pctx_create(), for a program that a launcher, argv[0], runs, as in the words
 * of cpc_command(): argv is the launcher, its options, "--" or none, the program and its
 * arguments. The launcher, which the program also executes if it executes another
 * program, replaces itself by what runs the program. Handlers see this as one exec, with
 * the command line of the program.
 */
pctx_t *pctx_create_behind(char *const *argv, void *arg, int verbose,
			   pctx_errfn_t *errfn);

/*
 * Takes control of a running process with all its LWPs; if the caller dies, the process
 * runs on. Returns the handle, or NULL: ESRCH; EPERM (errfn gets the process that traces
 * it, or the rule that forbids it); EINVAL (the caller itself).
 */
pctx_t *pctx_capture(pid_t pid, void *arg, int verbose, pctx_errfn_t *errfn);

/*
 * Sets handlers: pairs of a PCTX_*_EVENT and its handler, ended by PCTX_NULL_EVENT.
 * EINVAL: unknown event.
 */
int pctx_set_events(pctx_t *pctx, ...);

/*
 * Lets the process run and calls the handlers, until the process and all followed
 * processes have ended, each has had nsamples ticks (0: no limit; it is then released),
 * or a handler ends the run. Every msec milliseconds (0: never) tick is called for each
 * LWP; a missed deadline is skipped but counts as a sample, except the last. Returns 0,
 * or -1 with ECANCELED (a handler or tick returned nonzero for pctx's own process, which
 * was released, except by init_lwp at the start, which leaves it under control), EINTR
 * (pctx_stop), ENOMEM (an LWP could not be followed and runs on; all others were
 * controlled to their ends), or ECHILD (other code has collected the processes).
 */
int pctx_run(pctx_t *pctx, uint_t msec, uint_t nsamples,
	     int (*tick)(pctx_t *, pid_t, id_t, void *));

/*
 * Releases the process and all followed processes, which run on, and frees the handle.
 * With the handle of a child, releases the child alone. Does nothing if pctx is NULL or
 * was freed.
 */
void pctx_release(pctx_t *pctx);

/*
 * Ours. Kills all processes under control, calls no handlers, and frees the handle. With
 * the handle of a child, kills the child alone.
 */
void pctx_kill(pctx_t *pctx);

/*
 * Ours. Called in a fork handler: keeps the child under control when the handler returns
 * (otherwise it is released). The child has the handlers of its parent, which get arg.
 */
void pctx_follow(pctx_t *child, void *arg);

/*
 * Ours. Makes pctx_run() return -1 with EINTR; the processes stay under control, and the
 * next pctx_run() goes on with them: it calls init_lwp of no LWP again, the ticks keep
 * their times and numbers, and its other arguments are ignored. Async-signal-safe.
 */
void pctx_stop(pctx_t *pctx);

/*
 * Ours. Returns the process id of the handle's process, or -1 with EINVAL if the handle
 * was freed.
 */
pid_t pctx_pid(const pctx_t *pctx);

/* Ours. Returns the kernel's thread id of an LWP, or -1 with ESRCH. */
pid_t pctx_tid(pctx_t *pctx, id_t lwpid);

/*
 * Ours. Returns where the caller can store a pointer for an LWP, NULL when the LWP is
 * new; or NULL with ESRCH.
 */
void **pctx_lwp_data(pctx_t *pctx, id_t lwpid);

/*
 * Ours. Releases all processes that are still under control and waits for the end of
 * pctx's own process, whose wait status it stores. ECHILD: a captured process that has
 * not ended yet; EINTR: pctx_stop().
 */
int pctx_wait(pctx_t *pctx, int *status);

/*
 * Ours. Returns the number of deadlines that pctx_run() missed and skipped, over all
 * processes.
 */
unsigned long pctx_skipped(pctx_t *pctx);

/*
 * Ours. Calls action for each LWP under control, of all processes, oldest first.
 */
void pctx_walk_lwps(pctx_t *pctx, void (*action)(pctx_t *, pid_t, id_t, void *));

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
