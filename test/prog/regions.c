/*
 * Has named regions, whose events are calls of hit(): regions ACT [NUMBER]. An act's
 * region can be nested in others; see the acts.
 */
#include <err.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <opencpc.h>

#include "hit.h"

static int number; /* the second word of the command line */

static void check(int rc, const char *call, const char *name)
{
	if (rc == -1)
		warn("%s %s", call, name ? name : "NULL");
}

static void begin(const char *name)
{
	check(cpc_region_begin(name), "begin", name);
}

static void end(const char *name)
{
	check(cpc_region_end(name), "end", name);
}

/* A region that calls itself, inside another one, with 11 hits. */
static void nested(void)
{
	begin("a");
	hits(3);
	begin("b");
	hits(5);
	begin("a");
	hits(2);
	end("a");
	end("b");
	hits(1);
	end("a");
}

static void *solve(void *arg)
{
	const int *n = arg;

	for (int i = 0; i < *n; i++) {
		begin("solve");
		hits(10);
		end("solve");
	}
	return NULL;
}

/* Thread n of 4 has n calls with 10 hits each. */
static void threads(void)
{
	int n[4] = {1, 2, 3, 4};
	pthread_t thread[4];

	for (int i = 0; i < 4; i++)
		if (pthread_create(&thread[i], NULL, solve, &n[i]))
			errx(1, "no thread");
	for (int i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
}

/* A child of fork(2) ends with a report of its own while other threads have regions. */
static void fork_in_region(void)
{
	begin("fork");
	const pid_t pid = fork();
	if (pid == 0) {
		hits(1);
		end("fork");
		exit(0);
	}
	waitpid(pid, NULL, 0);
	end("fork");
}

static void *crowd_thread(void *arg)
{
	const int thread = *(const int *)arg;
	char name[16];

	for (int i = 0; i < 40; i++) {
		snprintf(name, sizeof name, "name%d", (thread + i) % 10);
		begin("all");
		begin(name);
		hits(1);
		end(name);
		end("all");
		if (i == 20 && thread % 4 == 0)
			fork_in_region();
		if (i % 10 == 5)
			kill(getpid(), SIGUSR1);
	}
	return NULL;
}

/* NUMBER threads have regions, ask for reports by SIGUSR1, and some of them fork. */
static void crowd(void)
{
	pthread_t thread[number];
	int id[number];

	begin("main");
	end("main");
	for (int i = 0; i < number; i++) {
		id[i] = i;
		if (pthread_create(&thread[i], NULL, crowd_thread, &id[i]))
			errx(1, "no thread");
	}
	for (int i = 0; i < number; i++)
		pthread_join(thread[i], NULL);
}

/* Calls that fail; the region a is not changed by them. */
static void misuse(void)
{
	end("a");
	begin("a");
	hits(1);
	end("b");
	begin(NULL);
	end(NULL);
	check(cpc_region_events("page-faults"), "events", "page-faults");
	hits(1);
	end("a");
}

/* A child has 3 hits in a region that its parent began, which has 2 and then 1. */
static void forks(void)
{
	begin("a");
	hits(2);
	const pid_t pid = fork();
	if (pid == 0) {
		hits(3);
		end("a");
		exit(0);
	}
	waitpid(pid, NULL, 0);
	hits(1);
	end("a");
}

/* The process ends in a region. */
static void exits(void)
{
	begin("a");
	hits(4);
	exit(7);
}

static void *open_region(void *arg)
{
	begin("open");
	hits(6);
	pthread_barrier_wait(arg);
	pause();
	return NULL;
}

/* One thread ends in a region, and another is in a region when the process ends. */
static void opens(void)
{
	pthread_barrier_t barrier;
	pthread_t thread;

	begin("a");
	hits(1);
	end("a");
	pthread_barrier_init(&barrier, NULL, 2);
	if (pthread_create(&thread, NULL, open_region, &barrier))
		errx(1, "no thread");
	pthread_barrier_wait(&barrier);
}

/* NUMBER calls of an empty region in another one. */
static void pairs(void)
{
	begin("empty");
	end("empty");
	begin("outer");
	for (int i = 0; i < number; i++) {
		cpc_region_begin("empty");
		cpc_region_end("empty");
	}
	end("outer");
}

/* Ends when standard input does; the region has a hit before and a hit after. */
static void waits(void)
{
	begin("a");
	hits(1);
	end("a");
	puts("ready");
	fflush(stdout);
	while (getchar() != EOF)
		;
	begin("a");
	hits(1);
	end("a");
}

/* The same name at different addresses; different names, and one name, at one address. */
static void names(void)
{
	static const char *const name[] = {"even", "odd", "odd", "even"};
	char buffer[16];

	for (int i = 0; i < 4; i++) {
		snprintf(buffer, sizeof buffer, "%s", name[i]);
		begin(buffer);
		hits(1);
		end(name[i]);
	}
}

/* Without events the calls do nothing, from the first on, which also ends the choice. */
static void off(void)
{
	begin("a");
	end("b");
	end("b");
	errno = 0;
	if (cpc_region_events("page-faults") == -1 && errno == EINVAL)
		puts("no events");
	if (cpc_region_begin(NULL) == -1 && errno == EINVAL)
		puts("no name");
}

/* As many regions as NUMBER says. */
static void many(void)
{
	char name[16];

	for (int i = 0; i < number; i++) {
		snprintf(name, sizeof name, "r%d", i);
		begin(name);
		end(name);
	}
}

static void in_handler(int signo)
{
	(void)signo;
	if (cpc_region_begin("handler") == 0)
		end("handler");
	else if (errno != EDEADLK)
		warn("in a handler");
}

/* Handlers of signals have a region, and interrupt the other calls, also the first. */
static void alarms(void)
{
	const struct itimerval often = {{0, 100}, {0, 100}}, never = {0};

	signal(SIGALRM, in_handler);
	setitimer(ITIMER_REAL, &often, NULL);
	for (int i = 0; i < number; i++) {
		begin("a");
		hits(1);
		end("a");
	}
	setitimer(ITIMER_REAL, &never, NULL);
}

static const struct {
	const char *name;
	void (*run)(void);
} acts[] = {
	{"nested", nested}, {"threads", threads}, {"misuse", misuse}, {"forks", forks},
	{"exits", exits},   {"opens", opens},	  {"pairs", pairs},   {"waits", waits},
	{"names", names},   {"crowd", crowd},	  {"alarms", alarms}, {"many", many},
	{"off", off},
};

int main(int argc, char **argv)
{
	char events[64];

	if (argc < 2)
		errx(2, "usage: regions ACT [NUMBER]");
	number = argc > 2 ? atoi(argv[2]) : 0;
	snprintf(events, sizeof events, "mem:%p:x", (void *)hit);
	if (strcmp(argv[1], "off") != 0 && cpc_region_events(events) == -1)
		err(1, "events");
	for (size_t i = 0; i < sizeof acts / sizeof acts[0]; i++)
		if (strcmp(argv[1], acts[i].name) == 0) {
			acts[i].run();
			return 0;
		}
	errx(2, "no such act");
}
