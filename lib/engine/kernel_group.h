/*
 * Lists of evsels, open in the kernel: groups of events that are counted and read
 * together.
 */
#ifndef KERNEL_GROUP_H
#define KERNEL_GROUP_H

#include <stdint.h>
#include <sys/types.h>

#include "engine.h"
#include "kernel_select.h"

struct perf_event_attr;

enum { KERNEL_GROUP_PARTS = 256 }; /* of a list: what one read(2) is to bring */

/* What is taken from the surroundings; tests give others. */
struct kernel_env {
	const char *root; /* "", or a folder that holds other proc and sys */
	int (*perf_open)(struct perf_event_attr *attr, pid_t tid, int cpu, int group_fd,
			 unsigned long flags);
};

/* An open event. */
struct part {
	int fd;
	unsigned sel;	/* whose value it is part of */
	unsigned where; /* from the plan */
	unsigned core;
	/* number of its group in the kernel; the first of a group leads it */
	unsigned group;
};

/* A list of evsels, open. */
struct group {
	unsigned nsel, ngroups, n;
	int on_cpu;	  /* it counts a CPU */
	uint64_t seen;	  /* ns it had been enabled when it was read last */
	uint64_t *factor; /* of each evsel */
	struct part part[];
};

/* How events are to be opened. */
struct kernel_manner {
	pid_t tid; /* -1: whatever runs on cpu */
	int cpu, inherit, enabled;
	uint64_t format;
};

/* Which event could not be opened. */
struct kernel_failure {
	unsigned sel;
	int sibling; /* it was to join a group */
	const struct kernel_event *ev;
};

/*
 * One event; leader -1: it leads a group. Raises the limit of open files. -1: as
 * perf_event_open(2).
 */
int kernel_group_event(const struct kernel_env *env, const struct kernel_event *ev,
		       const struct kernel_manner *m, int leader);

/*
 * All evsels, those with the same number in where[] in one group of the kernel for each
 * kind of core (NULL: all the same); at least one, at most KERNEL_GROUP_PARTS parts.
 * NULL: errno of perf_event_open(2), and *f.
 */
struct group *kernel_group_open(const struct kernel_env *env,
				const struct kernel_manner *m,
				const struct evsel *const *sel, unsigned n,
				const unsigned char *where, struct kernel_failure *f);

/* Let events count that were opened with enabled 0. -1: as ioctl(2). */
int kernel_group_enable(const struct group *g);

/*
 * Add the values of the group with this number in the kernel to val[]; *enabled: ns it
 * has been on. -1: EIO, or as read(2).
 */
int kernel_group_read(const struct group *g, unsigned number, struct count *val,
		      uint64_t *enabled);

/* How many parts the evsels have. */
unsigned kernel_group_parts(const struct evsel *const *sel, unsigned n);

/* Keeps errno; NULL is allowed. */
void kernel_group_close(struct group *g);

#endif
