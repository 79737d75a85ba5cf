/*
 * Events of the kernel: their description, without the headers of the kernel and of
 * libpfm4, and perf_event_open(2).
 */
#ifndef ENGINE_KERNEL_EVENT_H
#define ENGINE_KERNEL_EVENT_H

#include <errno.h>
#include <stdint.h>
#include <sys/types.h>
#include <unistd.h>

#include "engine/engine.h"

struct perf_event_attr;

struct kernel_event {
	uint32_t type;
	uint32_t bp_type; /* accesses that a breakpoint watches */
	/* config, config1, config2; of a breakpoint: 0, address, length */
	uint64_t config[3];
	unsigned exclude_user : 1, exclude_kernel : 1, exclude_hv : 1;
	unsigned exclude_host : 1, exclude_guest : 1;
	unsigned precise : 2;
	unsigned named : 1;   /* a breakpoint at a name, whose address is not known */
	unsigned foreign : 1; /* of a PMU that this machine does not have */
	/* its PMU counts CPUs, not LWPs: sysfs has a cpumask for the PMU */
	unsigned percpu : 1;
	unsigned
		core; /* index of its core PMU on a hybrid machine; 0 on other machines */
};

/* The environment of a session; tests replace it. */
struct kernel_env {
	const char *root; /* the folder that holds proc and sys; "": the root folder */
	int (*perf_open)(struct perf_event_attr *attr, pid_t tid, int cpu, int group_fd,
			 unsigned long flags);
};

/* This machine. */
extern const struct kernel_env kernel_env_host;

/*
 * Open a session of the kernel engine in an environment; engine_kernel.open() does so in
 * kernel_env_host. Calls on one session must not run at the same time, except for read()
 * of different groups. Returns NULL with ENOMEM and *why.
 */
struct engine *kernel_open(const struct kernel_env *env, struct why *why);

/* How to open events; the members are those of struct target where the names agree. */
struct kernel_open_how {
	pid_t tid; /* -1: whatever runs on cpu */
	int cpu, inherit, enabled, on_exec;
	const struct engine_cgroup *cgroup;
	int threads;	/* with inherit: new LWPs inherit the events, processes do not */
	int read_group; /* a read of the leader returns the values of its group */
	/*
	 * With inherit: the kernel writes the value of each LWP into the event's ring
	 * when the LWP ends (PERF_RECORD_READ).
	 */
	int report_ends;
	const uint64_t *after;	   /* for each evsel */
	const unsigned char *turn; /* for each evsel */
	/*
	 * For each evsel, bit k: do not open part k. An evsel without any part is left
	 * out. NULL: open all parts.
	 */
	const uint32_t *lacks;
	int signo, repeats;
	uint64_t period;  /* of a single event: it overflows after so many; 0: never */
	uint64_t config1; /* bits to set in addition, in events of the core PMU ... */
	uint32_t core;	  /* ... of this type */
};

/* Describe ev in *attr; members that ev does not determine are 0. */
void kernel_event_attr(const struct kernel_event *ev, struct perf_event_attr *attr);

/*
 * Does the kernel count ev without a PMU? Such events (software events, tracepoints,
 * breakpoints) always run, and always take exclude bits.
 */
int kernel_event_is_software(const struct kernel_event *ev);

/* Returns the origin of the counts of ev. */
enum source kernel_event_source(const struct kernel_event *ev);

/*
 * Check the period of overflows that repeat. Returns 0, or -1 with EINVAL and *why if the
 * event is a clock of the kernel whose overflows would leave the LWP no time to run.
 */
int kernel_event_check_period(const struct kernel_event *ev, const char *name,
			      uint64_t period, struct why *why);

/*
 * perf_event_open(2), which raises the limit of open files if needed; leader: descriptor
 * of the group's leader, -1 if the event leads a group. Returns the descriptor, or -1.
 */
int kernel_event_open(const struct kernel_env *env, struct perf_event_attr *attr,
		      pid_t tid, int cpu, int leader);

/*
 * As read(2), of an event or a group that LWPs may have inherited. When an inheriting LWP
 * ends, the kernel takes its events out of their group one by one, and refuses to read
 * the group meanwhile, with ECHILD; the call waits for up to a second until it can.
 */
ssize_t kernel_event_wait_read(int fd, void *values, size_t size);
static inline ssize_t kernel_event_read(int fd, void *values, size_t size)
{
	const ssize_t n = read(fd, values, size);

	return n == -1 && errno == ECHILD ? kernel_event_wait_read(fd, values, size) : n;
}

/*
 * As kernel_event_open(), for what runs on the CPU in the cgroup whose folder has the
 * descriptor cgroup.
 */
int kernel_event_open_cgroup(const struct kernel_env *env, struct perf_event_attr *attr,
			     int cgroup, int cpu, int leader);

/* Describe an event in *attr; leader as in kernel_event_open(). */
void kernel_event_attr_as(const struct kernel_event *ev,
			  const struct kernel_open_how *how, int leader,
			  struct perf_event_attr *attr);

/* Open an event; leader and errors as in kernel_event_open(). */
int kernel_event_open_as(const struct kernel_env *env, const struct kernel_event *ev,
			 const struct kernel_open_how *how, int leader);

#endif
