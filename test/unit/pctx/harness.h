/*
 * Helpers for the tests of libpctx: programs to control, handlers that log, the state of
 * processes, and a check that no process is left.
 */
#ifndef PCTX_HARNESS_H
#define PCTX_HARNESS_H

#include <errno.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include <libpctx.h>
#include "base/clock.h"
#include "base/procfs.h"
#include "programs.h"
#include "seen.h"

enum { DEADLINE_S = 20 };

static inline int64_t now_ms(void)
{
	return clock_ns() / 1000000;
}

/* Waits until a process is in this state and traced or not; fails after the deadline. */
static inline void await_state(pid_t pid, char state, int traced)
{
	const int64_t end = now_ms() + DEADLINE_S * 1000;
	unsigned flags;

	for (;;) {
		const char now = procfs_state(pid, &flags);
		const long tracer = procfs_status(pid, "TracerPid:", 1);

		if (now == state && (tracer > 0) == traced)
			return;
		if (now_ms() > end)
			fail_msg("pid %d: state %c, tracer %ld, not %c", (int)pid, now,
				 tracer, state);
		sched_yield();
	}
}

/* Processes left by a failed test must not disturb the next one. */
static inline void kill_children(void)
{
	char path[64];
	int pid;

	snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
	FILE *f = fopen(path, "re");
	while (f && fscanf(f, "%d", &pid) == 1)
		kill(pid, SIGKILL);
	if (f)
		fclose(f);
	while (waitpid(-1, NULL, __WALL) != -1 || errno == EINTR)
		;
}

/* This process is the subreaper of all processes that tests start: none may be left. */
static inline int nothing_left(void **state)
{
	const int64_t end = now_ms() + DEADLINE_S * 1000 / 4;
	pid_t pid;
	int st;

	(void)state;
	setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
	while ((pid = waitpid(-1, &st, WNOHANG | __WALL)) != -1 && now_ms() < end)
		sched_yield();
	if (pid == -1 && errno == ECHILD)
		return 0;
	print_message("processes are left\n");
	kill_children();
	return -1;
}

/* Checks that pctx_create() or pctx_capture() failed with this errno and this message. */
static inline void refused(int line, pctx_t *pctx, int err, const char *text)
{
	const int e = errno;

	if (pctx || e != err || strcmp(message, text) != 0)
		fail_msg("line %d: errno %d, '%s', not '%s'", line, e, message, text);
	*message = '\0';
}

/*
 * For main(): runs the program that argv[1] names and exits, or prepares the process for
 * the tests.
 */
static inline void prepare(int argc, char **argv)
{
	for (size_t i = 0; argc > 1 && i < sizeof programs / sizeof programs[0]; i++)
		if (strcmp(argv[1], programs[i].word) == 0) {
			alarm(3 * DEADLINE_S);
			_exit(programs[i].run());
		}
	setvbuf(stdout, NULL, _IONBF, 0);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
}

#endif
