/*
 * An event as perf_event_open(2) programs it, free of the headers of the kernel and of
 * libpfm4.
 */
#ifndef ENGINE_KERNEL_EVENT_H
#define ENGINE_KERNEL_EVENT_H

#include <stdint.h>
#include <sys/types.h>

struct perf_event_attr;

struct kernel_event {
	uint32_t type;
	uint32_t bp_type; /* breakpoints: what is watched */
	/* config, config1, config2; breakpoints: -, address, length */
	uint64_t config[3];
	unsigned exclude_user : 1, exclude_kernel : 1, exclude_hv : 1;
	unsigned exclude_host : 1, exclude_guest : 1;
	unsigned precise : 2;
	unsigned foreign : 1; /* of a PMU that this machine does not have */
	/* its PMU counts CPUs, not LWPs (it has a cpumask in sysfs) */
	unsigned percpu : 1;
	unsigned core; /* which of the core PMUs of a hybrid machine; 0 elsewhere */
};

/* What is taken from the surroundings; tests give others. */
struct kernel_env {
	const char *root; /* "", or a folder that holds other proc and sys */
	int (*perf_open)(struct perf_event_attr *attr, pid_t tid, int cpu, int group_fd,
			 unsigned long flags);
};

/* This machine. */
extern const struct kernel_env kernel_env_host;

/* *attr, with what the event says; the rest is 0. */
void kernel_event_attr(const struct kernel_event *ev, struct perf_event_attr *attr);

/* Raises the limit of open files if it must. -1: as perf_event_open(2). */
int kernel_event_open(const struct kernel_env *env, struct perf_event_attr *attr,
		      pid_t tid, int cpu, int leader);

/*
 * Raise RLIMIT_NOFILE: to the hard limit or, if that is reached, double both, which
 * needs CAP_SYS_RESOURCE. Programs that are started later inherit it: call it only when
 * a file was refused. 0, or -1 with EMFILE if it is as high as it gets.
 */
int kernel_limit_raise(void);

#endif
