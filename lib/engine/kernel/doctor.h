/* What a user should know about counting on this machine, from facts that are looked up. */
#ifndef ENGINE_KERNEL_DOCTOR_H
#define ENGINE_KERNEL_DOCTOR_H

#include "engine/engine.h"
#include "engine/kernel/event.h"
#include "engine/kernel/machine.h"

struct kernel_checkup {
	struct kernel_machine machine;
	int software;	/* errno of counting a software event in user mode, 0: it works */
	int system;	/* the same in user and system mode */
	int cpus;	/* of counting a CPU, whatever runs there */
	int hardware;	/* do the processor's counters answer? */
	int breakpoint; /* errno of an execution breakpoint */
	const char *pmu; /* the processor's PMU by libpfm4, or "" */
};

/* A pure function: calls say for each finding. */
void kernel_doctor(const struct kernel_checkup *c, void *arg,
		   void (*say)(void *arg, enum finding finding, const char *what,
			       const char *text));

/* Look the facts up, opening events on the caller; the rest is kernel_doctor()'s. */
void kernel_doctor_all(const struct kernel_env *env, int hardware, void *arg,
		       void (*fn)(void *arg, enum finding finding, const char *what,
				  const char *text));

#endif
