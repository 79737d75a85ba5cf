/* Modes whose threads execute, exit and start at the same time. */
#include "modes.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../hit.h"

static pthread_barrier_t gate;

static void *racing_exec(void *arg)
{
	hit_and_report(1);
	pthread_barrier_wait(&gate);
	exec_self("one");
	return arg;
}

static void *racing_exit(void *arg)
{
	hit_and_report(1);
	pthread_barrier_wait(&gate);
	_exit(3);
	return arg;
}

static void *no_hit(void *arg)
{
	return arg;
}

static void *racing_births(void *arg)
{
	hit_and_report(1);
	pthread_barrier_wait(&gate);
	for (;;) {
		pthread_t t;
		if (pthread_create(&t, NULL, no_hit, NULL) == 0)
			pthread_join(t, NULL);
	}
	return arg;
}

static void *racing_death(void *arg)
{
	hit_and_report(1);
	pthread_barrier_wait(&gate);
	kill(getpid(), SIGKILL);
	return arg;
}

/*
 * In each of several children all threads continue at the same time: half of them execute
 * a program, and the others do what the function other does.
 */
static void race(void *(*other)(void *))
{
	for (int i = 0; i < ROUNDS / 4; i++) {
		const pid_t pid = child();
		if (pid == 0) {
			pthread_barrier_init(&gate, NULL, THREADS + 1);
			for (int n = 0; n < THREADS; n++)
				start(n % 2 ? racing_exec : other, NULL);
			(i % 2 ? racing_exec : other)(NULL);
		}
		const int st = await(pid), code = WEXITSTATUS(st);
		if (WIFSIGNALED(st) ? WTERMSIG(st) != SIGKILL || other != racing_death
				    : code != 0 && (code != 3 || other != racing_exit))
			printf("status %x\n", (unsigned)st);
	}
}

void mode_exec_race(void)
{
	race(racing_exec);
}

void mode_exit_race(void)
{
	race(racing_exit);
}

void mode_births(void)
{
	race(racing_births);
}

void mode_kill_race(void)
{
	race(racing_death);
}

static void *exec_later(void *arg)
{
	pthread_join(*(pthread_t *)arg, NULL);
	exec_self("one");
	return NULL;
}

/* A thread executes a program after the first thread has ended. */
void mode_leader_gone(void)
{
	static pthread_t first;
	first = pthread_self();
	hit_and_report(2);
	start(exec_later, &first);
	pthread_exit(NULL);
}
