/*
 * Lists of evsels, open in the kernel: groups of events that are counted and read
 * together.
 */
#ifndef ENGINE_KERNEL_GROUP_H
#define ENGINE_KERNEL_GROUP_H

#include <stdint.h>
#include <sys/types.h>

#include "engine/engine.h"
#include "engine/kernel/evsel.h"

struct cpulist;
struct perf_event_attr;
struct kernel_rdpmc;

enum { KERNEL_GROUP_PARTS = 256 }; /* of a list: what one read(2) is to bring */

/* Not enabled yet; enabled for one overflow; it has overflowed and is disabled. */
enum part_state { PART_NEW, PART_ARMED, PART_SPENT };

/* An open event. */
struct part {
	int fd;
	unsigned sel;	/* whose value it is part of */
	unsigned where; /* from the plan */
	unsigned core;
	/* number of its group in the kernel; the first of a group leads it */
	unsigned group;
	int notifies;	       /* it gives a signal when it overflows */
	enum part_state state; /* of what notifies */
	int breakpoint;
};

/* A list of evsels, open. */
struct group {
	unsigned nsel, ngroups, n;
	int on_cpu;		    /* it counts a CPU */
	uint64_t seen;		    /* ns it had been enabled when it was read last */
	uint64_t *factor;	    /* of each evsel; 0: it is left out */
	struct kernel_rdpmc *rdpmc; /* pages for reads without a system call, or NULL */
	struct part part[];
};

/* How events are to be opened. */
struct kernel_open_how {
	pid_t tid; /* -1: whatever runs on cpu */
	int cpu, inherit, enabled, on_exec;
	uint64_t format;
	const uint64_t *after; /* of each evsel: as in struct target */
	/*
	 * Of each evsel: bit k, do not open part k. One of which nothing is left is left
	 * out. NULL: open all.
	 */
	const uint32_t *lacks;
	int signo;
	uint64_t period; /* of one event: it overflows after as many; 0: it does not */
	/* bits to be set also, in events of the core PMU of this type */
	uint64_t config1;
	uint32_t core;
};

/* Which event could not be opened. */
struct kernel_failure {
	unsigned sel;
	int sibling;	  /* it was to join a group */
	int no_interrupt; /* it can be counted, but gives no signal when it overflows */
	const struct kernel_event *ev;
	const struct cpulist *others; /* where it counts, if not on this CPU; or NULL */
};

/*
 * One event; leader -1: it leads a group. Raises the limit of open files. -1: as
 * perf_event_open(2).
 */
int kernel_group_event(const struct kernel_env *env, const struct kernel_event *ev,
		       const struct kernel_open_how *m, int leader);

/*
 * All evsels, those with the same number in where[] in one group of the kernel for each
 * kind of core (NULL: all the same); at least one, at most KERNEL_GROUP_PARTS parts, and
 * not all of them lacking.
 * NULL: errno of perf_event_open(2), and *f.
 */
struct group *kernel_group_open(const struct kernel_env *env,
				const struct kernel_open_how *m,
				const struct evsel *const *sel, unsigned n,
				const unsigned char *where, struct kernel_failure *f);

/* Is evsel i to give a signal when it overflows? Such are opened before the others. */
int kernel_group_notifies(const struct kernel_open_how *m, unsigned i);

/* Is nothing left of an evsel without these parts (as in lacks above)? */
int kernel_group_absent(const struct evsel *s, uint32_t lacks);

/* Let events count that were opened with enabled 0. -1: as ioctl(2). */
int kernel_group_enable(struct group *g);

/*
 * Stop all, and let all go on (as freeze() and thaw() of struct engine_ops). -1: as
 * ioctl(2).
 */
int kernel_group_disable(struct group *g);
int kernel_group_thaw(struct group *g, const uint64_t *after);

/* As owns() of struct engine_ops. */
int kernel_group_overflowed(struct group *g, int fd);

/*
 * Add the values of the group with this number in the kernel to val[]; *enabled: ns it
 * has been on. Those of evsels that are left out stay as they are. -1: EIO, or as
 * read(2).
 */
int kernel_group_read(const struct group *g, unsigned number, struct count *val,
		      uint64_t *enabled);

/*
 * val[] of all evsels, and how long its first group has been on. -1: ENODEV, the CPU went
 * offline; or as above.
 */
int kernel_group_read_all(struct group *g, struct count *val, uint64_t *on);

/* How many parts the evsels have. */
unsigned kernel_group_parts(const struct evsel *const *sel, unsigned n);

/* Keeps errno; NULL is allowed. */
void kernel_group_close(struct group *g);

#endif
