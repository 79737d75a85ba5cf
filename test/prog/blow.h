/*
 * The signals of option -k of failcall.c: when, what and whom they strike.
 */
#ifndef BLOW_H
#define BLOW_H

#include "procs.h"

#include <err.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static pid_t tool, beside; /* the command, and the process of -b or 0 */
static int happened;	   /* the fault or the first signal */

/* The values of -k, and the process that gets the signals. */
static struct {
	long call, usec;   /* when: a number of calls, or microseconds; or -1 */
	int first, second; /* signals */
	long gap;	   /* microseconds between them */
	int of_tool;
	long process, thread; /* thread -1: the signals are for the whole process */
	long at, second_at;   /* times of now_usec(), or 0 */
	pid_t pid, tid;	      /* the receiver of the first signal */
} blow = {.call = -1, .usec = -1, .thread = -1};

static long now_usec(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000L + t.tv_nsec / 1000;
}

struct choice {
	long left;
	pid_t pid;
	int n;
};

static void choose(pid_t pid, void *data)
{
	struct choice *c = data;
	if (has_ended(pid))
		return;
	c->n++;
	if (c->left-- == 0)
		c->pid = pid;
}

static int send_signal(int sig)
{
	if (blow.thread == -1)
		return !kill(blow.pid, sig);
	return !syscall(SYS_tgkill, blow.pid, blow.tid, sig);
}

/* Counts the processes that -k may choose. Returns the one before which are left. */
static struct choice choice_of(long left)
{
	struct choice c = {.left = left};
	if (beside)
		choose(beside, &c);
	each_below(tool, choose, &c);
	return c;
}

/* Sends the first signal to the command, or to the chosen process. */
static void strike(void)
{
	blow.pid = tool;
	if (!blow.of_tool) {
		const int n = choice_of(-1).n;
		if (!n)
			return;
		blow.pid = choice_of(blow.process % n).pid;
	}
	if (blow.pid && blow.thread != -1)
		blow.tid = thread_of(blow.pid, blow.thread);
	happened = blow.pid && send_signal(blow.first);
	if (happened && blow.second)
		blow.second_at = now_usec() + blow.gap;
}

/* Sends the signals whose time has come. */
static void strike_in_time(void)
{
	if (blow.at && !happened && now_usec() >= blow.at)
		strike();
	if (blow.second_at && now_usec() >= blow.second_at) {
		if (!send_signal(blow.second))
			kill(blow.pid, blow.second);
		blow.second_at = 0;
	}
}

static void parse_kill(const char *text)
{
	const int is_time = *text == '@';
	char signals[64], who[32];
	const char *thread;
	if (sscanf(text + is_time, "%ld:%63[^:]:%31s", is_time ? &blow.usec : &blow.call,
		   signals, who) != 3 ||
	    sscanf(signals, "%d+%ld+%d", &blow.first, &blow.gap, &blow.second) < 1)
		errx(2, "-k takes WHEN:SIGNAL:WHO");
	blow.of_tool = !strncmp(who, "tool", 4);
	blow.process = blow.of_tool ? 0 : atol(who);
	thread = strchr(who, '.');
	if (thread)
		blow.thread = atol(thread + 1);
}

#endif
