/*
 * A child process that waits for permission and then executes a command. Until the exec
 * the child may share the memory of its parent, as with posix_spawn(3): then no page
 * tables are copied, and the parent's next writes cause no page faults.
 */
#ifndef BASE_LAUNCH_H
#define BASE_LAUNCH_H

#include <signal.h>
#include <sys/types.h>

struct launch {
	char *const *argv;	      /* the command, found as execvp(3) finds it */
	const struct sigaction *chld; /* what the command does at SIGCHLD */
	const sigset_t *mask;	      /* the signals that are blocked in the command */
	sigset_t reset;		      /* signals with a handler here; all are blocked */
	const char *dirs;	      /* PATH */
	char **script;		      /* room for the arguments of a shell */
	char *stack;		      /* of a child that shares the memory */
	int end[2];		      /* of launch_sharing() */
};

/*
 * Prepare to execute argv. The caller fills chld, mask and reset; argv, the environment
 * and what the members point to stay as they are until the exec. Returns 0, or -1 with
 * ENOMEM. launch_end() is called in each case.
 */
int launch_prepare(struct launch *l, char *const *argv);

/*
 * Runs in the child: wait for a byte from the socket fd, and execute the command. If the
 * exec fails, its errno is sent to fd. If the other end of the socket closes first,
 * nothing is executed. Changes neither errno nor memory outside of the stack and of *l.
 */
_Noreturn void launch_execute(const struct launch *l, int fd);

/*
 * Create a child that does launch_execute() with end[1] and shares the memory of the
 * caller until then. Until its exec or its end, *l may not change. The
 * resident set of the caller counts as one of the child (getrusage(2)). Returns the pid;
 * or -1 with errno: ENOSYS if no process can share memory on this machine, or an errno of
 * clone(2). Valgrind ends a program that calls this.
 */
pid_t launch_sharing(struct launch *l, const int end[2]);

/*
 * Free what launch_prepare() has allocated, when the child has executed or ended. Keeps
 * errno.
 */
void launch_end(struct launch *l);

#endif
