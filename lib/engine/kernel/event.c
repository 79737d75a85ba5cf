#include "engine/kernel/event.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "engine/ring/lives.h"
#include "engine/why.h"

static int perf_event_open(struct perf_event_attr *attr, pid_t tid, int cpu, int group_fd,
			   unsigned long flags)
{
	return (int)syscall(SYS_perf_event_open, attr, tid, cpu, group_fd, flags);
}

const struct kernel_env kernel_env_host = {"", perf_event_open};

void kernel_event_attr(const struct kernel_event *ev, struct perf_event_attr *attr)
{
	*attr = (struct perf_event_attr){
		.type = ev->type,
		.size = sizeof(*attr),
		.config = ev->config[0],
		.config1 = ev->config[1],
		.config2 = ev->config[2],
		.bp_type = ev->bp_type,
		.exclude_user = ev->exclude_user,
		.exclude_kernel = ev->exclude_kernel,
		.exclude_hv = ev->exclude_hv,
		.exclude_host = ev->exclude_host,
		.exclude_guest = ev->exclude_guest,
		.precise_ip = ev->precise,
	};
}

int kernel_event_is_software(const struct kernel_event *ev)
{
	return ev->type == PERF_TYPE_SOFTWARE || ev->type == PERF_TYPE_TRACEPOINT ||
	       ev->type == PERF_TYPE_BREAKPOINT;
}

/* Source: perf_event_open(2); an event that the array leaves out is SOURCE_SOFTWARE. */
enum source kernel_event_source(const struct kernel_event *ev)
{
	static const enum source software[PERF_COUNT_SW_MAX] = {
		[PERF_COUNT_SW_CPU_CLOCK] = SOURCE_CLOCK,
		[PERF_COUNT_SW_TASK_CLOCK] = SOURCE_CLOCK,
		[PERF_COUNT_SW_CONTEXT_SWITCHES] = SOURCE_SWITCHES,
		[PERF_COUNT_SW_CPU_MIGRATIONS] = SOURCE_SCHEDULER,
		[PERF_COUNT_SW_CGROUP_SWITCHES] = SOURCE_SCHEDULER,
	};

	if (ev->type == PERF_TYPE_BREAKPOINT)
		return SOURCE_BREAKPOINT;
	if (ev->type == PERF_TYPE_TRACEPOINT)
		return SOURCE_TRACEPOINT;
	if (ev->type != PERF_TYPE_SOFTWARE)
		return SOURCE_COUNTER;
	if (ev->config[0] >= PERF_COUNT_SW_MAX || !software[ev->config[0]])
		return SOURCE_SOFTWARE;
	return software[ev->config[0]];
}

/*
 * A timer of the kernel runs for each overflow of a clock, and no timer is shorter than
 * 10000 ns. With signals each 10000 ns, an LWP of a virtual machine had less than 1 % of
 * its time, and handled no other signal; each 100000 ns it had 80 % (seen on 6.18).
 */
enum { SHORTEST_CLOCK_PERIOD = 100000 };

int kernel_event_check_period(const struct kernel_event *ev, const char *name,
			      uint64_t period, struct why *why)
{
	if (period >= SHORTEST_CLOCK_PERIOD || kernel_event_source(ev) != SOURCE_CLOCK)
		return 0;
	return why_refuse(why, EINVAL,
			  "%s: overflows each %llu ns would leave the LWP no time to "
			  "run; choose %d ns or more",
			  name, (unsigned long long)period, SHORTEST_CLOCK_PERIOD);
}

static int open_of(const struct kernel_env *env, struct perf_event_attr *attr, int id,
		   int cpu, int leader, unsigned long flags)
{
	for (;;) {
		const int fd = env->perf_open(attr, id, cpu, leader,
					      flags | PERF_FLAG_FD_CLOEXEC);
		if (fd >= 0 || errno != EMFILE || file_raise_limit(1))
			return fd;
	}
}

int kernel_event_open(const struct kernel_env *env, struct perf_event_attr *attr,
		      pid_t tid, int cpu, int leader)
{
	return open_of(env, attr, tid, cpu, leader, 0);
}

int kernel_event_open_cgroup(const struct kernel_env *env, struct perf_event_attr *attr,
			     int cgroup, int cpu, int leader)
{
	return open_of(env, attr, cgroup, cpu, leader, PERF_FLAG_PID_CGROUP);
}

ssize_t kernel_event_wait_read(int fd, void *values, size_t size)
{
	const struct timespec pause = {.tv_nsec = 100000};
	const int64_t until = clock_ns() + 1000000000;
	ssize_t n;

	do {
		nanosleep(&pause, NULL);
		n = read(fd, values, size);
	} while (n == -1 && errno == ECHILD && clock_ns() < until);
	return n;
}

/* The kernel's generic events and raw events are events of the core PMU too. */
static uint64_t core_config1(const struct kernel_event *ev,
			     const struct kernel_open_how *how)
{
	switch (ev->type) {
	case PERF_TYPE_HARDWARE:
	case PERF_TYPE_HW_CACHE:
	case PERF_TYPE_RAW:
		return how->config1;
	}
	return ev->type == how->core ? how->config1 : 0;
}

void kernel_event_attr_as(const struct kernel_event *ev,
			  const struct kernel_open_how *how, int leader,
			  struct perf_event_attr *attr)
{
	kernel_event_attr(ev, attr);
	attr->config1 |= core_config1(ev, how);
	attr->read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
			    PERF_FORMAT_TOTAL_TIME_RUNNING |
			    (how->read_group ? PERF_FORMAT_GROUP : 0);
	attr->disabled = leader < 0 && !how->enabled;
	attr->enable_on_exec = leader < 0 && how->on_exec;
	attr->sample_period = how->period;
	attr->wakeup_events = how->period != 0;
	attr->inherit = how->inherit != 0;
	if (how->report_ends)
		kernel_lives_attr(attr);
#ifdef PERF_ATTR_SIZE_VER7
	attr->inherit_thread = how->threads != 0;
#endif
}

int kernel_event_open_as(const struct kernel_env *env, const struct kernel_event *ev,
			 const struct kernel_open_how *how, int leader)
{
	struct perf_event_attr attr;

#ifndef PERF_ATTR_SIZE_VER7
	if (how->threads) {
		errno = EINVAL;
		return -1;
	}
#endif
	kernel_event_attr_as(ev, how, leader, &attr);
	if (how->cgroup)
		return kernel_event_open_cgroup(env, &attr, how->cgroup->fd, how->cpu,
						leader);
	return kernel_event_open(env, &attr, how->tid, how->tid == -1 ? how->cpu : -1,
				 leader);
}
