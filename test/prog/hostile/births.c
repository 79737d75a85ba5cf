/* Modes with children of clone(2) and vfork(2), and with orphans. */
#include "modes.h"

#include <err.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../hit.h"

/*
 * Two children of vfork(2): the first waits until another process kills it, and the
 * second executes a program.
 */
void mode_vforks(void)
{
	int fd[2];
	if (pipe(fd) == -1)
		err(1, "pipe");
	const pid_t killer = child();
	if (killer == 0) {
		pid_t victim;
		if (read(fd[0], &victim, sizeof(victim)) == sizeof(victim))
			kill(victim, SIGKILL);
		_exit(0);
	}
	const pid_t hung = vfork();
	if (hung == 0) {
		const pid_t me = getpid();
		(void)!write(fd[1], &me, sizeof(me));
		for (;;)
			pause();
	}
	printf("signal %d\n", WTERMSIG(await(hung)));
	await(killer);
	const pid_t other = vfork();
	if (other == 0)
		exec_self("one");
	printf("status %d\n", WEXITSTATUS(await(other)));
	hit_and_report(2);
}

static int shared_child(void *arg)
{
	(void)arg;
	hit_and_report(1);
	_exit(0);
}

/* Makes children with these flags of clone(2), one after the other. */
static void make_clones(const int *flags, size_t n)
{
	static char stack[65536] __attribute__((aligned(64)));
	signal(SIGUSR1, on_signal);
	for (size_t i = 0; i < n; i++) {
		fflush(stdout);
		const pid_t pid =
			clone(shared_child, stack + sizeof(stack), flags[i], NULL);
		if (pid == -1)
			err(1, "clone");
		printf("%d\n", await(pid));
	}
}

/*
 * Children with unusual flags of clone(2). Some send no signal when they end, and some
 * send SIGUSR1.
 */
void mode_clones(void)
{
	static const int flags[] = {
		0,
		SIGUSR1,
		CLONE_VM | CLONE_VFORK | SIGUSR1,
		CLONE_PTRACE | SIGCHLD,
	};
	make_clones(flags, sizeof(flags) / sizeof(flags[0]));
}

/* Children that share memory with their parent, which runs on. */
void mode_shared(void)
{
	static const int flags[] = {
		CLONE_VM,
		CLONE_VM | SIGCHLD,
		CLONE_VM | CLONE_FILES,
	};
	make_clones(flags, sizeof(flags) / sizeof(flags[0]));
}

/* Processes whose parent has ended. */
void mode_orphans(void)
{
	int fd[2];
	char byte;
	if (pipe(fd) == -1)
		err(1, "pipe");
	const pid_t pid = child();
	if (pid == 0) {
		for (int i = 0; i < THREADS; i++)
			if (child() == 0) {
				close(fd[0]);
				while (getppid() == pid)
					sched_yield();
				hit_and_report(1);
				_exit(0);
			}
		_exit(0);
	}
	await(pid);
	close(fd[1]);
	if (read(fd[0], &byte, 1) != 0)
		err(1, "read");
	hit_and_report(1);
}

/*
 * Processes of a new namespace of process ids, if the user may create one. The kernel
 * kills the last one when the first process of the namespace ends.
 */
void mode_namespace(void)
{
	const int made = unshare(CLONE_NEWUSER | CLONE_NEWPID);
	const pid_t first = child();
	if (first == 0) {
		const pid_t second = child();
		if (second == 0) {
			hit_and_report(2);
			exec_self("one");
		}
		await(second);
		pthread_join(start(one_hit, NULL), NULL);
		if (made == 0 && child() == 0)
			pause();
		hit_and_report(3);
		_exit(5);
	}
	printf("status %d\n", WEXITSTATUS(await(first)));
	hit_and_report(1);
}

/* Calls clone(2) with more flags than fork(2). */
static pid_t clone_child(unsigned long flags)
{
	fflush(stdout);
	const long pid = syscall(SYS_clone, flags | SIGCHLD, 0, 0, 0, 0);
	if (pid == -1)
		err(1, "clone");
	if (pid == 0)
		alarm(LIMIT_S);
	return (pid_t)pid;
}

/* A child creates siblings of its own: children of this process. */
void mode_siblings(void)
{
	const pid_t pid = child();
	if (pid == 0) {
		for (int i = 0; i < THREADS; i++)
			if (clone_child(CLONE_PARENT) == 0) {
				hit_and_report(1);
				if (i % 2)
					exec_self("one");
				_exit(0);
			}
		hit_and_report(1);
		_exit(0);
	}
	int n = 0;
	while (wait(NULL) != -1)
		n++;
	printf("%d children\n", n);
	hit_and_report(1);
}

/* Children that the kernel does not let the tracer of their parent trace. */
void mode_untraced(void)
{
	for (int i = 0; i < 2; i++) {
		const pid_t pid = clone_child(CLONE_UNTRACED);
		if (pid == 0) {
			hit_and_report(1);
			if (i)
				exec_self("one");
			_exit(3);
		}
		printf("status %d\n", WEXITSTATUS(await(pid)));
	}
	hit_and_report(1);
}
