/*
 * libpctx: control a process and be told of its LWPs, forks, execs and exits, after
 * Solaris libpctx(3LIB).
 *
 * A pctx_t is the handle of one process. LWPs have numbers of their own in each process,
 * 1 for the first; a number is never used twice in a process image. It stands on
 * ptrace(2): one pctx_run() at a time in a program, in the thread that created the
 * handle, and while it runs it collects every child process of the caller. A NULL where
 * one is not allowed is EINVAL, or nothing happens. Source: pctx_create(3CPC) and the
 * pages it names; what is ours says so.
 *
 * Differences on Linux: the handlers of one pctx_run() are all called in the caller's
 * process, also for followed children (Solaris forked a controller for each); the
 * handlers of FINI_LWP, SYSC_LWP_EXIT and SYSC_EXIT are called when the LWP has ended,
 * and its counts can still be sampled (cpc_set_sample); the process is not stopped for a
 * tick.
 */
#ifndef LIBPCTX_H
#define LIBPCTX_H

#include <stdarg.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct __pctx pctx_t;
typedef unsigned int uint_t;

typedef void(pctx_errfn_t)(const char *fn, const char *fmt, va_list ap);

typedef enum {
	PCTX_NULL_EVENT = 0,
	/* int (pctx, pid, lwpid, char *cmd, arg); nonzero ends tracking */
	PCTX_SYSC_EXEC_EVENT,
	/* void (pctx of the child, pid, lwpid, child pid, arg); see pctx_follow */
	PCTX_SYSC_FORK_EVENT,
	/* void (pctx, pid, lwpid, int status as of waitpid(2), arg) */
	PCTX_SYSC_EXIT_EVENT,
	PCTX_SYSC_LWP_CREATE_EVENT, /* int (pctx, pid, lwpid, arg) */
	/* int (pctx, pid, lwpid, arg); nonzero ends the run */
	PCTX_INIT_LWP_EVENT,
	PCTX_FINI_LWP_EVENT,	 /* int (pctx, pid, lwpid, arg) */
	PCTX_SYSC_LWP_EXIT_EVENT /* int (pctx, pid, lwpid, arg) */
} pctx_event_t;

typedef int pctx_sysc_execfn_t(pctx_t *, pid_t, id_t, char *, void *);
typedef void pctx_sysc_forkfn_t(pctx_t *, pid_t, id_t, pid_t, void *);
typedef void pctx_sysc_exitfn_t(pctx_t *, pid_t, id_t, int, void *);
typedef int pctx_sysc_lwp_createfn_t(pctx_t *, pid_t, id_t, void *);
typedef int pctx_init_lwpfn_t(pctx_t *, pid_t, id_t, void *);
typedef int pctx_fini_lwpfn_t(pctx_t *, pid_t, id_t, void *);
typedef int pctx_sysc_lwp_exitfn_t(pctx_t *, pid_t, id_t, void *);

/*
 * Start a program (file is looked up in PATH), stopped before its first instruction. If
 * the caller dies, the program is killed. arg is handed to every handler. NULL with errno
 * of the exec (ENOENT, EACCES, ...), EAGAIN, EPERM (ptrace refused); errfn (NULL: stderr)
 * is told.
 */
pctx_t *pctx_create(const char *file, char *const *argv, void *arg, int verbose,
		    pctx_errfn_t *errfn);

/*
 * Ours. The same for a program that argv[0], a launcher, runs behind itself, as the words of
 * cpc_command() do: argv is the launcher's options, "--" or none, the program and its
 * arguments. The launcher, executed by the program too where that executes another, replaces
 * itself by what runs it. That is one exec, and its command line is the program's own.
 */
pctx_t *pctx_create_behind(char *const *argv, void *arg, int verbose,
			   pctx_errfn_t *errfn);

/*
 * Take control of a running process, all its LWPs; if the caller dies, it runs on. NULL:
 * ESRCH, EPERM (errfn is told who traces it or which rule forbids it), EINVAL (the caller
 * itself).
 */
pctx_t *pctx_capture(pid_t pid, void *arg, int verbose, pctx_errfn_t *errfn);

/*
 * Pairs of a PCTX_*_EVENT and its handler, ended by PCTX_NULL_EVENT. -1, EINVAL: unknown
 * event.
 */
int pctx_set_events(pctx_t *pctx, ...);

/*
 * Let the process run and call the handlers until it and all that were followed have
 * ended, each has had nsamples ticks (0: no limit; it is then let go) or a handler ends
 * the run. Every msec milliseconds (0: never) tick is called for each LWP; a deadline
 * that was missed is skipped but counts as a sample, except the last. Returns 0, or -1
 * with errno: ECANCELED (a handler or tick returned nonzero for pctx's own process, which
 * was let go; init_lwp at the start: it is still under control), EINTR (pctx_stop),
 * ENOMEM, or what ptrace(2) said.
 */
int pctx_run(pctx_t *pctx, uint_t msec, uint_t nsamples,
	     int (*tick)(pctx_t *, pid_t, id_t, void *));

/*
 * Let go of the process and of those that were followed, all run on; free the handle.
 * NULL is allowed.
 */
void pctx_release(pctx_t *pctx);

/* Ours. Kill the processes under control, without calling handlers; free the handle. */
void pctx_kill(pctx_t *pctx);

/*
 * Ours. In a fork handler: keep the child when the handler returns (without it, it is let
 * go); arg replaces the handler argument for that process. Its handlers are those of its
 * parent.
 */
void pctx_follow(pctx_t *child, void *arg);

/*
 * Ours. Make pctx_run() return -1, EINTR; the processes stay under control.
 * Async-signal-safe.
 */
void pctx_stop(pctx_t *pctx);

/* Ours. The process that the handle stands for. */
pid_t pctx_pid(const pctx_t *pctx);

/* Ours. The kernel's thread id of an LWP, or -1 with ESRCH. */
pid_t pctx_tid(pctx_t *pctx, id_t lwpid);

/*
 * Ours. A place for the caller's own data of an LWP, NULL at its birth; or NULL with
 * ESRCH.
 */
void **pctx_lwp_data(pctx_t *pctx, id_t lwpid);

/*
 * Ours. Let go of all that is still under control, and wait for the end of pctx's own
 * process; gives its wait status. -1: ECHILD (a captured process that has not ended yet),
 * EINTR (pctx_stop).
 */
int pctx_wait(pctx_t *pctx, int *status);

/*
 * Ours. Deadlines that pctx_run() has skipped because they were missed, over all
 * processes.
 */
unsigned long pctx_skipped(pctx_t *pctx);

/*
 * Ours. Call action for each LWP under control, of all processes, in the order of birth.
 */
void pctx_walk_lwps(pctx_t *pctx, void (*action)(pctx_t *, pid_t, id_t, void *));

#ifdef __cplusplus
}
#endif

#endif
