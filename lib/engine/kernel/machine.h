/* Facts about the machine and this process that decide whether events can be counted. */
#ifndef ENGINE_KERNEL_MACHINE_H
#define ENGINE_KERNEL_MACHINE_H

#include <stdint.h>
#include <sys/types.h>

#include "engine/kernel/event.h"

enum { KERNEL_UNKNOWN = -100 }; /* a fact that could not be read */

struct kernel_machine {
	int paranoid;	/* kernel.perf_event_paranoid */
	int lenient;	/* it is above 2, but the kernel does not know such levels */
	int no_perf;	/* the kernel has no perf events, so paranoid does not exist */
	int core_pmu;	/* sysfs has a PMU of the processor cores; the caller sets this */
	int hypervisor; /* it is a virtual machine */
	int no_stops;	/* breakpoints never count; the caller sets this */
	int nmi_watchdog; /* kernel.nmi_watchdog */
	int container;	  /* there are signs of a container */
	int lockdown;	  /* the kernel is locked down */
	uid_t euid;
	uint64_t caps;			   /* effective capabilities, bit CAP_* */
	int seccomp;			   /* mode of seccomp(2), or KERNEL_UNKNOWN */
	unsigned long fds_open, fds_limit; /* descriptors; soft RLIMIT_NOFILE */
};

/*
 * Returns the level of kernel.perf_event_paranoid whose rules the kernel applies.
 * Unpatched kernels take any number, and treat those above 2 like 2.
 */
int kernel_machine_level(const struct kernel_machine *m);

/*
 * If the level is above 2, find out by an event of the caller's user mode whether the
 * kernel knows the level, and set m->lenient. This fails with CAP_SYS_ADMIN, which may
 * count at all levels: then the kernel seems to be lenient. Keeps errno.
 */
void kernel_machine_try(const struct kernel_env *env, struct kernel_machine *m);

/*
 * Returns 1 if this process may count at any kernel.perf_event_paranoid. CAP_PERFMON is
 * enough where the kernel applies level 2 or less; levels 3 and 4 of distributions need
 * CAP_SYS_ADMIN (Debian:
 * security-perf-allow-further-restriction-of-perf_event_open.patch).
 */
int kernel_machine_privileged(const struct kernel_machine *m);

/* Does the machine have this CPU, offline or online? root is "", or another folder. */
int kernel_machine_has_cpu(const char *root, int cpu);

/* Returns 0 if sysfs says that the CPU is offline, else 1. */
int kernel_machine_is_online(const char *root, int cpu);

/* Read the facts from ROOT/proc and ROOT/sys. Keeps errno. */
void kernel_machine_read(const char *root, struct kernel_machine *m);

#endif
