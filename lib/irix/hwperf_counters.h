/* The open counters of a set-up on one process. */
#ifndef IRIX_HWPERF_COUNTERS_H
#define IRIX_HWPERF_COUNTERS_H

#include "irix/hwperf_setup.h"

struct group;

/* The counters are closed if all members are 0. */
struct hwperf_counters {
	struct hwperf_setup *setup; /* NULL: closed */
	struct group *group[HWPERF_CNTEVENTMAX];
	/* as in struct target, for the events of each pair */
	uint64_t after[HWPERF_CNTEVENTMAX][2];
	pid_t tid;
};

/* The target of counters. */
struct hwperf_target {
	pid_t tid, pid; /* an LWP and its process */
	int tree;	/* also all LWPs and processes that it will start */
	int on_exec;	/* each process counts from its next execve(2) on */
	int signo;	/* the signal of thresholds; 0: no thresholds */
};

/*
 * Open the counters of a set-up, to which they keep a reference, and start them. Without
 * tree they also count the LWPs that tid will create in its process, unless an event has
 * a threshold, the program is simulated, or Linux is older than 5.13. Returns 0; or -1
 * with errno of the engine's bind(), and *c is closed.
 */
int hwperf_counters_open(struct hwperf_counters *c, struct hwperf_setup *s,
			 const struct hwperf_target *t);

/*
 * Add the counts since the open to values. Returns 0; or -1 with errno of the engine's
 * read(), or ENOTSUP: this program is simulated, and the counters are of another LWP.
 */
int hwperf_counters_read(const struct hwperf_counters *c, hwperf_values_t *values);

/* Does nothing if they are closed. Keeps errno. */
void hwperf_counters_close(struct hwperf_counters *c);

#endif
