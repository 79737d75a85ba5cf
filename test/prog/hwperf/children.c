/* Acts of hwperf_act with children of fork(), and with the programs that they execute. */
#include <err.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../hit.h"
#include "acts.h"

/*
 * A child that calls hit() n times, and ends when the parent closes the pipe, if any.
 */
static pid_t child_hits(unsigned n, const int *until_closed)
{
	char byte;
	const pid_t pid = fork();

	if (pid)
		return pid;
	hits(n);
	if (until_closed) {
		close(until_closed[1]);
		if (read(until_closed[0], &byte, 1) != 0)
			_exit(1);
	}
	_exit(count(hwperf_open(getpid())) == n ? 0 : 1);
}

/*
 * children: counts before and after a child, which has counts of its own, is waited for.
 */
void act_children(char **arg)
{
	const int fd = open_self();
	int status = -1;

	(void)arg;
	start(fd);
	hits(7);
	const pid_t pid = child_hits(500, NULL);
	await(pid);
	printf("%" PRIu64, count(fd));
	waitpid(pid, &status, 0);
	printf(" %" PRIu64 " %d\n", count(fd), status);
}

static int own_handle;

static void release_own(void)
{
	if (hwperf_ioctl(own_handle, PIOCRELEVCTRS) == -1)
		warn("PIOCRELEVCTRS");
}

/*
 * forkhandler: a handler of fork() that the program has registered releases the counters.
 * Prints the status of the child and the count.
 */
void act_forkhandler(char **arg)
{
	int status = -1;

	(void)arg;
	if (pthread_atfork(release_own, NULL, NULL))
		errx(1, "pthread_atfork");
	own_handle = open_self();
	start(own_handle);
	hits(7);
	const pid_t pid = fork();
	if (pid == 0) {
		hits(500);
		_exit(0);
	}
	waitpid(pid, &status, 0);
	printf("%d %" PRIu64 "\n", status, count(own_handle));
}

/* namespace: the child has another id in its own PID namespace than for its parent. */
void act_namespace(char **arg)
{
	const int fd = open_self();

	(void)arg;
	start(fd);
	hits(7);
	if (unshare(CLONE_NEWPID) == -1)
		err(1, "unshare");
	waitpid(child_hits(500, NULL), NULL, 0);
	printf("%" PRIu64 "\n", count(fd));
}

/* The count after a child that nobody waits for, whose counts are saved or not. */
static void unreaped(int is_saved)
{
	const int fd = open_self();
	int end[2];

	signal(SIGCHLD, SIG_IGN);
	start(fd);
	hits(7);
	if (pipe(end) == -1)
		err(1, "pipe");
	const pid_t pid = child_hits(500, end);
	if (is_saved && hwperf_ioctl(hwperf_open(pid), PIOCSAVECCNTRS) == -1)
		err(1, "PIOCSAVECCNTRS");
	close(end[0]);
	close(end[1]);
	while (wait(NULL) != -1)
		;
	printf("%" PRIu64 "\n", count(fd));
}

/* lost: a child that nobody waits for is not merged. */
void act_lost(char **arg)
{
	(void)arg;
	unreaped(0);
}

/* save: a child that nobody waits for is merged after PIOCSAVECCNTRS. */
void act_save(char **arg)
{
	(void)arg;
	unreaped(1);
}

/* hits N: N calls, and N of a child. */
void act_hits(char **arg)
{
	const unsigned n = (unsigned)atoi(arg[0]);

	hits(n);
	if (fork() == 0) {
		hits(n);
		_exit(0);
	}
	wait(NULL);
}

/* program CMD...: a child that executes a program; its own children count too. */
void act_program(char **arg)
{
	const int fd = open_self();

	start(fd);
	hits(7);
	const pid_t pid = fork();
	if (pid == 0) {
		execvp(arg[0], arg);
		_exit(127);
	}
	waitpid(pid, NULL, 0);
	printf("%" PRIu64 "\n", count(fd));
}
