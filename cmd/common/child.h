/*
 * The command as a child process, which waits before its exec until events are bound to
 * it, and the signals of a run. child_next() waits for them one by one; only while text
 * is written a handler receives those that end the run.
 */
#ifndef COMMON_CHILD_H
#define COMMON_CHILD_H

#include <signal.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/holder.h"
#include "base/launch.h"
#include "base/process.h"

/* What a child has used, with the descendants that were waited for. */
struct child_use {
	int64_t ns; /* processor time since child_go(): user_ns and system_ns */
	int64_t user_ns, system_ns;
	uint64_t faults; /* page faults since the fork */
	/* Context switches since the fork: by waiting or ending, and by preemption. */
	int64_t switches, preemptions;
	int64_t rss_kib; /* the largest resident set of a process, KiB */
};

struct child {
	pid_t pid;
	struct launch launch;
	struct holder holder;	/* of child_hold() */
	struct process process; /* where signals are sent */
	int fd; /* socket: a byte starts the exec; errno of a failed exec comes back */
	sigset_t waited;       /* blocked signals that child_next() waits for */
	sigset_t mask;	       /* signal mask of the command when it was started */
	struct sigaction chld; /* action of SIGCHLD, restored at the end */
	sigset_t seen;	       /* of signals_is_warning() */
	int user;	       /* SIGUSR1 and SIGUSR2 are events, and are not passed on */
	volatile int64_t first_int;	/* time of the first SIGINT, ns, or 0 */
	volatile sig_atomic_t given_up; /* the signal of CHILD_GIVEN_UP, or 0 */
	volatile sig_atomic_t asked;	/* an ending signal found no child */
	volatile sig_atomic_t warned;	/* a provisional report is due */
	volatile sig_atomic_t passed;	/* an ending signal that was passed on, or 0 */
	int status;			/* of waitpid(2) */
	int64_t begun_ns;		/* processor time of the child before its exec */
	struct child_use use;		/* after CHILD_ENDED */
};

enum child_event {
	CHILD_ENDED,
	CHILD_TIME,   /* the time of child_next() has come */
	CHILD_START,  /* SIGUSR1 (-s) */
	CHILD_STOP,   /* SIGUSR2 (-s) */
	CHILD_WARNED, /* a signal after which a provisional report is due */
	CHILD_ASKED,  /* after the end of the child: a signal that would end it */
	/* a second SIGINT, or after the end of the child a second CHILD_ASKED */
	CHILD_GIVEN_UP
};

/*
 * Start a child for the command argv. user: SIGUSR1 and SIGUSR2 are events of
 * child_next(); otherwise they are passed on to the child like other signals. Returns -1
 * with errno.
 */
int child_start(struct child *c, char *const *argv, int user);

/*
 * Do what child_start() does for a command that is started many times: the child shares
 * memory with this process until its exec (base/launch.h), if it can, so that it is
 * created faster. The resident set of this process then counts in use.rss_kib.
 */
int child_start_sharing(struct child *c, char *const *argv);

/*
 * Start a holder for the child instead of the child, which then has no pid. Events are
 * opened on c->holder, so that the child of child_start_held() inherits them.
 */
int child_hold(struct child *c, char *const *argv);
int child_start_held(struct child *c);

/* Let the child execute the command. Returns -1 with errno of send(2). */
int child_go(struct child *c);

/*
 * Pass signals on to the child and wait for the next event, at most until a time in ns of
 * clock_ns(), or 0 for no limit.
 */
enum child_event child_next(struct child *c, int64_t until);

/* After CHILD_ENDED: the errno of an exec that failed, or 0. */
int child_exec_error(struct child *c);

/* Let the child run on, so that child_end() does not kill it. */
void child_leave(struct child *c);

/*
 * The child cannot be started: do what child_end() does, and let signals be as they were,
 * because the caller starts the command in another way. A child that was not prepared is
 * allowed.
 */
void child_abandon(struct child *c);

/*
 * Kill the child if it has not ended. Signals stay blocked: none may end the command
 * before the last line of its report.
 */
void child_end(struct child *c);

#endif
