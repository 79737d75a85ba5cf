/*
 * What the machine and this process are like, as far as it decides whether events can
 * be counted.
 */
#ifndef ENGINE_KERNEL_MACHINE_H
#define ENGINE_KERNEL_MACHINE_H

#include <stdint.h>
#include <sys/types.h>

enum { KERNEL_UNKNOWN = -100 }; /* a fact that could not be read */

/* What this machine and this process are like. */
struct kernel_machine {
	int paranoid; /* kernel.perf_event_paranoid */
	int no_perf;  /* that file does not exist: a kernel without perf events */
	/* does sysfs have a PMU of the processor cores? Set by the caller */
	int core_pmu;
	int hypervisor;
	int nmi_watchdog;
	int container; /* signs of one */
	int lockdown;  /* the kernel is locked down */
	uid_t euid;
	uint64_t caps; /* effective */
	int seccomp;   /* mode, or KERNEL_UNKNOWN */
	unsigned long fds_open, fds_limit;
};

/*
 * May this process count whatever kernel.perf_event_paranoid is? CAP_PERFMON is enough up
 * to 2, the highest level of the kernel itself; distributions' 3 and 4 want CAP_SYS_ADMIN
 * (Debian: security-perf-allow-further-restriction-of-perf_event_open.patch).
 */
int kernel_machine_privileged(const struct kernel_machine *m);

/* Is there such a CPU, offline or online? root as below. */
int kernel_machine_has_cpu(const char *root, int cpu);

/* Is it online? What sysfs does not tell counts as online. */
int kernel_machine_is_online(const char *root, int cpu);

/*
 * Read the facts from ROOT/proc and ROOT/sys (root "": the machine's own). Keeps errno.
 */
void kernel_machine_look(const char *root, struct kernel_machine *m);

#endif
