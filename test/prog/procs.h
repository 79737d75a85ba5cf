/*
 * Processes and threads as /proc shows them, for failcall.c.
 */
#ifndef PROCS_H
#define PROCS_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

static void each_below(pid_t pid, void (*each)(pid_t, void *), void *data);

/* Calls each(pid, data) for the children that a thread has made, and those below them. */
static void each_of_thread(pid_t pid, int tid, void (*each)(pid_t, void *), void *data)
{
	char path[64];
	int child;
	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", pid, tid);
	FILE *f = fopen(path, "re");
	if (!f)
		return;
	while (fscanf(f, "%d", &child) == 1) {
		each(child, data);
		each_below(child, each, data);
	}
	fclose(f);
}

/* Calls each(pid, data) for each process below pid. */
static void each_below(pid_t pid, void (*each)(pid_t, void *), void *data)
{
	char path[64];
	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	DIR *d = opendir(path);
	for (struct dirent *e; d && (e = readdir(d));)
		if (atoi(e->d_name) > 0)
			each_of_thread(pid, atoi(e->d_name), each, data);
	if (d)
		closedir(d);
}

/* Returns a number of /proc/PID/status, or -1. */
static int status_number(pid_t pid, const char *name)
{
	char path[64], line[256];
	int number = -1;
	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	FILE *f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f))
		if (!strncmp(line, name, strlen(name)) && line[strlen(name)] == ':')
			number = atoi(line + strlen(name) + 1);
	if (f)
		fclose(f);
	return number;
}

/* The state of a process as /proc has it: X if it is not there. */
static char state_of(pid_t pid)
{
	char path[64], state;
	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	FILE *f = fopen(path, "re");
	if (!f || fscanf(f, "%*d (%*[^)]) %c", &state) != 1)
		state = 'X';
	if (f)
		fclose(f);
	return state;
}

static int has_ended(pid_t pid)
{
	const char state = state_of(pid);
	return state == 'Z' || state == 'X';
}

/* Returns thread number n of a process, counted around, or -1. */
static pid_t thread_of(pid_t pid, long n)
{
	char path[64];
	pid_t tid[256];
	long found = 0;
	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	DIR *d = opendir(path);
	for (struct dirent *e; d && found < 256 && (e = readdir(d));)
		if (atoi(e->d_name) > 0)
			tid[found++] = atoi(e->d_name);
	if (d)
		closedir(d);
	return found ? tid[n % found] : -1;
}

#endif
