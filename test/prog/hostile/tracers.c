/* Modes that trace, or that forbid to be traced. */
#include "modes.h"

#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>
#include <pthread.h>

#include "../hit.h"

/* The program asks its parent to trace it, and the parent does not know. */
void mode_traceme(void)
{
	ptrace(PTRACE_TRACEME, 0, 0, 0);
	hit_and_report(4);
}

/*
 * A debugger of four children. Where the children are traced already, the calls of
 * ptrace(2) fail, and the debugger waits for the children only.
 */
void mode_debugger(void)
{
	for (int i = 0; i < 4; i++) {
		const pid_t pid = child();
		if (pid == 0) {
			if (i % 2 == 0 && ptrace(PTRACE_TRACEME, 0, 0, 0) == 0)
				raise(SIGSTOP);
			hit_and_report(1);
			_exit(7);
		}
		if (i % 2)
			ptrace(PTRACE_SEIZE, pid, 0, 0);
		int st;
		while (waitpid(pid, &st, WUNTRACED) == pid && WIFSTOPPED(st))
			if (ptrace(PTRACE_CONT, pid, 0, 0) == -1)
				kill(pid, SIGCONT);
		printf("%d\n", WIFEXITED(st) ? WEXITSTATUS(st) : -1);
	}
}

/* The program traces its parent for a while, and handles the stops of the parent. */
void mode_seize(void)
{
	const pid_t parent = getppid();
	sigset_t set;
	int st;
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	const int seized = parent > 1 && ptrace(PTRACE_SEIZE, parent, 0, 0) == 0;
	hit_and_report(3);
	if (seized) {
		ptrace(PTRACE_INTERRUPT, parent, 0, 0);
		while (waitpid(parent, &st, __WALL) == parent && WIFSTOPPED(st) &&
		       st >> 16 != PTRACE_EVENT_STOP)
			ptrace(PTRACE_CONT, parent, 0, WSTOPSIG(st));
		ptrace(PTRACE_DETACH, parent, 0, 0);
	}
}

/* The program traces its parent until it ends. */
void mode_seize_end(void)
{
	sigset_t set;
	sigfillset(&set);
	sigprocmask(SIG_BLOCK, &set, NULL);
	hit_and_report(3);
	ptrace(PTRACE_SEIZE, getppid(), 0, 0);
}

/* The process may not be traced by other users, nor read by way of /proc. */
void mode_undumpable(void)
{
	prctl(PR_SET_DUMPABLE, 0);
	hit_and_report(1);
	pthread_join(start(one_hit, NULL), NULL);
	const pid_t pid = child();
	if (pid == 0) {
		hit_and_report(1);
		_exit(0);
	}
	await(pid);
}
