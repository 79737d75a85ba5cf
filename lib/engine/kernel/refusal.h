/*
 * Messages for refusals of the kernel: why an event cannot be counted, and what would
 * help.
 */
#ifndef ENGINE_KERNEL_REFUSAL_H
#define ENGINE_KERNEL_REFUSAL_H

#include <sys/types.h>

#include "engine/engine.h"
#include "engine/kernel/event.h"
#include "engine/kernel/machine.h"

/* An event that was refused, and its target. */
struct kernel_refusal {
	int err;		/* errno of perf_event_open(2) */
	const char *name;	/* the event as requested, or NULL */
	struct kernel_event ev; /* the event that the kernel refused */
	unsigned fds_need;	/* descriptors that one more LWP or CPU needs */
	pid_t tid;	    /* the LWP to be counted; 0: the caller; -1: the CPU below */
	int cpu;	    /* the CPU to be counted, if tid is -1 */
	int no_cpu;	    /* this machine does not have that CPU */
	const char *cgroup; /* the path of the cgroup to be counted on the CPU, or NULL */
	char *cpus; /* if err is ENOENT: the event's PMU counts only on these; or NULL */
	int together;	  /* the event's PMU cannot leave a mode out */
	int kernel_only;  /* the event happens only in the kernel */
	int no_interrupt; /* the event can be counted, but gives no signal on overflow */
};

/* Write one line into *why: "NAME: cause; what would help". A pure function. */
void kernel_refusal_text(const struct kernel_refusal *r, const struct kernel_machine *m,
			 struct why *why);

#endif
