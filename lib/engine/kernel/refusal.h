/* Why the kernel refused to count, and what would help, in words. */
#ifndef ENGINE_KERNEL_REFUSAL_H
#define ENGINE_KERNEL_REFUSAL_H

#include <sys/types.h>

#include "engine/engine.h"
#include "engine/kernel/event.h"
#include "engine/kernel/machine.h"

/* What was refused. */
struct kernel_refusal {
	int err;
	const char *name; /* the event as asked */
	struct kernel_event ev;
	unsigned fds_need; /* descriptors that one more LWP, or CPU, needs */
	pid_t tid;  /* the LWP that was to be counted; 0: the caller itself; -1: a CPU */
	int cpu;    /* that CPU ... */
	int no_cpu; /* ... which this machine does not have */
	char *cpus; /* ENOENT: its PMU counts on these alone, not on that CPU; or NULL */
	int together;	  /* its PMU cannot leave a mode out */
	int kernel_only;  /* it happens in the kernel alone */
	int no_interrupt; /* it can be counted, but is no use for an overflow */
};

/* One line: cause, then what would help. A pure function. */
void kernel_refusal_text(const struct kernel_refusal *r, const struct kernel_machine *m,
			 struct why *why);

#endif
