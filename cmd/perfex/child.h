/*
 * The command as a child that waits until it may begin, and the signals that matter while
 * it runs, taken one by one: none is handled, all are waited for.
 */
#ifndef PERFEX_CHILD_H
#define PERFEX_CHILD_H

#include <signal.h>
#include <stdint.h>
#include <sys/types.h>

struct child {
	pid_t pid;
	int fd; /* to the child: a byte lets it go; from it: the errno of its exec */
	sigset_t waited;       /* signals that are taken */
	sigset_t mask;	       /* the caller's mask of before */
	struct sigaction chld; /* what SIGCHLD did before */
	int64_t first_int;     /* when the first SIGINT came, ns; 0: none yet */
	int status;	       /* as of waitpid(2) */
};

enum child_event {
	CHILD_ENDED,
	CHILD_TIME,    /* the time that was waited for is there */
	CHILD_START,   /* SIGUSR1 */
	CHILD_STOP,    /* SIGUSR2 */
	CHILD_GIVEN_UP /* a second SIGINT: it is not to be waited for any more */
};

/* user: SIGUSR1 and SIGUSR2 are taken too. -1 with errno. */
int child_start(struct child *c, char *const *argv, int user);

/* Let it execute the command. */
int child_go(struct child *c);

/* Wait for the next thing to happen, but not beyond a time (ns of clock_ns(); 0: none). */
enum child_event child_next(struct child *c, int64_t until);

/* When it has ended: the errno of an exec that failed, or 0. */
int child_exec_error(struct child *c);

/* Kill it if it has not ended, and let signals do what they did. */
void child_end(struct child *c);

#endif
