/* The kernel engine's part of --doctor: what can be counted on this machine. */
#ifndef ENGINE_KERNEL_DOCTOR_H
#define ENGINE_KERNEL_DOCTOR_H

#include "engine/engine.h"
#include "engine/kernel/event.h"
#include "engine/kernel/machine.h"

/* The results of trying events: 0 if the event can be counted, else the errno. */
struct kernel_checkup {
	struct kernel_machine machine;
	int software;	 /* a software event in user mode */
	int system;	 /* the same event in user and system mode */
	int cpus;	 /* the same event on a CPU */
	int breakpoint;	 /* an execution breakpoint, unless machine.no_stops is set */
	int hardware;	 /* 1: the processor's counters work */
	const char *pmu; /* the processor's PMU in libpfm4, or "" */
};

/* Call fn for each finding. A pure function. */
void kernel_doctor(const struct kernel_checkup *c, void *arg,
		   void (*fn)(void *arg, enum finding finding, const char *what,
			      const char *text));

/* Try events on the caller and on a CPU, and report the findings with kernel_doctor(). */
void kernel_doctor_all(const struct kernel_env *env, int hardware, void *arg,
		       void (*fn)(void *arg, enum finding finding, const char *what,
				  const char *text));

#endif
