/* Lists of evsels that are open in the kernel, as groups of events. */
#ifndef ENGINE_KERNEL_GROUP_H
#define ENGINE_KERNEL_GROUP_H

#include <stdint.h>
#include <sys/types.h>

#include "engine/engine.h"
#include "engine/kernel/evsel.h"

struct cpulist;
struct kernel_rdpmc;

/* The most events of a list, which one read(2) gets. */
enum { KERNEL_GROUP_PARTS = ENGINE_MOST_PICS };

/* Not enabled yet; enabled for one overflow; disabled after its overflow. */
enum part_state { PART_NEW, PART_ARMED, PART_SPENT };

/* The place of a breakpoint. */
enum part_place {
	PLACE_OWN,	  /* the address in the event; and of all other events */
	PLACE_NONE,	  /* the event has a name, whose address is not known */
	PLACE_OF_NAME,	  /* the address of the name */
	PLACE_PROVISIONAL /* another address: is_provisional of struct engine_place */
};

/* An open event, which is a part of an evsel. */
struct part {
	int fd;
	unsigned sel;	  /* index of its evsel */
	unsigned planned; /* its group in the plan */
	unsigned core;	  /* kind of core */
	unsigned group;	  /* its group in the kernel; the first part leads the group */
	int notifies;	  /* it sends a signal when it overflows */
	enum part_state state; /* used if notifies is set */
	int breakpoint;
	enum part_place place;
};

/* The bytes of a cache line of most processors. */
enum { KERNEL_LINE = 64 };

/*
 * An open list of evsels. A read of a plain list needs the members up to the first
 * descriptor. They are in one line, at which the list begins, because the memory of a
 * list has left the caches before its next read if hundreds of lists are read in turn.
 */
struct group {
	struct kernel_rdpmc *rdpmc; /* pages for reads without a system call, or NULL */
	uint64_t seen;		    /* the ns enabled that the last read returned */
	uint64_t *factor;	    /* of each evsel; 0: the evsel is left out */
	unsigned nsel, ngroups, n;  /* numbers of evsels, groups and parts */
	unsigned on_cpu : 1;	    /* the list counts a CPU, not an LWP */
	unsigned idles : 1;   /* the list counts a cgroup, which does not always run */
	unsigned plain : 1;   /* one group, whose values are those of the evsels */
	unsigned named : 1;   /* an event has a name (enum part_place) */
	unsigned repeats : 1; /* counting goes on after an overflow */
	struct part part[];
};

/* The event that could not be opened. */
struct kernel_failure {
	unsigned sel;	  /* index of its evsel */
	int sibling;	  /* it should have joined a group */
	int no_interrupt; /* it can be counted, but sends no signal when it overflows */
	const struct kernel_event *ev;
	const struct cpulist *others; /* the CPUs that can count it instead, or NULL */
};

/*
 * Open evsels, which must have 1 to KERNEL_GROUP_PARTS parts that are not lacking. Evsels
 * with the same number in planned[] form one group of the kernel for each kind of core;
 * planned NULL: all have the same. Returns NULL with *f and errno of perf_event_open(2).
 */
struct group *kernel_group_open(const struct kernel_env *env,
				const struct kernel_open_how *how,
				const struct evsel *const *sel, unsigned n,
				const unsigned char *planned, struct kernel_failure *f);

/* Must evsel i send a signal when it overflows? Such evsels are opened first. */
int kernel_group_notifies(const struct kernel_open_how *how, unsigned i);

/* Is s without any part if it lacks these parts (bits as in struct kernel_open_how)? */
int kernel_group_absent(const struct evsel *s, uint32_t lacks);

/* Start events that were opened with enabled 0. Returns -1 with the errno of ioctl(2). */
int kernel_group_enable(struct group *g);

/* These are freeze(), thaw() and owns() of struct engine_ops; errno as of ioctl(2). */
int kernel_group_disable(struct group *g);
int kernel_group_thaw(struct group *g, const uint64_t *after);
int kernel_group_overflowed(struct group *g, int fd);

/*
 * Read val[] of all evsels; *on, unless on is NULL: ns that the first group has been
 * enabled. Returns -1 with EIO, the errno of read(2), or ENODEV if the CPU went offline.
 */
int kernel_group_read(struct group *g, struct count *val, uint64_t *on);

/* This is read_all() of struct engine_ops; errno as above. */
unsigned kernel_group_read_all(struct group *const *g, unsigned n, unsigned width,
			       struct count *val, uint64_t *on);

/* Returns the number of parts of all evsels. */
unsigned kernel_group_parts(const struct evsel *const *sel, unsigned n);

/* Keeps errno; NULL is allowed. */
void kernel_group_close(struct group *g);

#endif
