#include "engine/kernel/doctor.h"

#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "engine/kernel/pfm.h"

/* The caller's function for findings, and its argument. */
struct report {
	void *arg;
	void (*fn)(void *arg, enum finding finding, const char *what, const char *text);
};

static void add(const struct report *r, enum finding finding, const char *what,
		const char *text)
{
	r->fn(r->arg, finding, what, text);
}

/*
 * Returns who may count what at a level of kernel.perf_event_paranoid
 * (Documentation/admin-guide/sysctl).
 */
static const char *permissions(int paranoid)
{
	if (paranoid < 0)
		return "everything for everybody";
	if (paranoid == 0)
		return "processes and CPUs, user and system mode, for everybody";
	if (paranoid == 1)
		return "processes, user and system mode, for everybody";
	if (paranoid == 2)
		return "processes in user mode for everybody; the rest with CAP_PERFMON";
	return "nothing without CAP_SYS_ADMIN";
}

static void check_privilege(const struct report *r, const struct kernel_machine *m)
{
	char text[200];

	if (m->no_perf) {
		add(r, FINDING_MISSING, "perf_event_paranoid",
		    "this kernel was built without perf events: nothing can be "
		    "counted");
		return;
	}
	if (m->paranoid == KERNEL_UNKNOWN) {
		add(r, FINDING_LIMITED, "perf_event_paranoid", "cannot be read");
		return;
	}
	const int open = m->paranoid < 2, may = kernel_machine_privileged(m);
	snprintf(text, sizeof text, "%d: %s%s", m->paranoid, permissions(m->paranoid),
		 may && !open ? " (which this process has)" : "");
	add(r, may || open ? FINDING_OK : FINDING_LIMITED, "perf_event_paranoid", text);
}

static void check_hardware(const struct report *r, const struct kernel_checkup *c)
{
	char text[300];

	if (c->hardware) {
		snprintf(
			text, sizeof text, "%s",
			*c->pmu ? c->pmu
				: "available, but libpfm4 does not know this processor: count "
				  "instructions, cycles, numbers or pmu/event/ names");
		add(r, FINDING_OK, "hardware counters", text);
	} else if (c->software) {
		add(r, FINDING_MISSING, "hardware counters",
		    "unknown: not even software events can be counted");
	} else {
		snprintf(
			text, sizeof text,
			"this %smachine shows none to its kernel; software events "
			"and breakpoints can be counted%s",
			c->machine.hypervisor == 1 ? "virtual " : "",
			c->machine.hypervisor == 1
				? "; the hypervisor may be able to pass counters on (vPMU)"
				: "");
		add(r, FINDING_MISSING, "hardware counters", text);
	}
	if (c->hardware && c->machine.nmi_watchdog == 1)
		add(r, FINDING_LIMITED, "nmi watchdog",
		    "uses one counter of each CPU; sysctl kernel.nmi_watchdog=0 frees "
		    "it");
}

static void check_try(const struct report *r, const char *what, int e, const char *works)
{
	add(r, e ? FINDING_MISSING : FINDING_OK, what, e ? strerror(e) : works);
}

static void check_cpus(const struct report *r, int e, int level)
{
	if (e == EACCES || e == EPERM)
		add(r, FINDING_LIMITED, "whole CPUs",
		    level >= 3 ? "cannot be counted (cpustat): that takes root, or "
				 "kernel.perf_event_paranoid at 0 or less"
			       : "cannot be counted (cpustat): that takes root, "
				 "CAP_PERFMON, or kernel.perf_event_paranoid at 0 or "
				 "less");
	else
		check_try(r, "whole CPUs", e,
			  "all that runs there can be counted (cpustat)");
}

void kernel_doctor(const struct kernel_checkup *c, void *arg,
		   void (*fn)(void *arg, enum finding finding, const char *what,
			      const char *text))
{
	const struct report r = {arg, fn};

	check_privilege(&r, &c->machine);
	check_try(&r, "user mode", c->software,
		  "events of this user's processes can be counted");
	check_try(&r, "system mode", c->system, "also what the kernel does for them");
	check_cpus(&r, c->cpus, c->machine.paranoid);
	check_hardware(&r, c);
	check_try(&r, "breakpoints", c->breakpoint, "mem:ADDR events can be counted");
	if (c->machine.container == 1)
		add(&r, FINDING_INFO, "container",
		    "its seccomp profile and capabilities may forbid counting; "
		    "--cap-add PERFMON allows it");
	if (c->machine.lockdown == 1)
		add(&r, FINDING_LIMITED, "lockdown",
		    "the kernel is locked down and refuses some events");
}

enum { CALLER = -1 };

/* Returns 0 if an event can be counted on the caller or on a CPU, else the errno. */
static int try_event(const struct kernel_env *env, const struct kernel_event *ev, int cpu)
{
	struct perf_event_attr attr;

	kernel_event_attr(ev, &attr);
	attr.disabled = 1;
	const int fd = kernel_event_open(env, &attr, cpu == CALLER ? 0 : -1, cpu, -1);

	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

void kernel_doctor_all(const struct kernel_env *env, int hardware, void *arg,
		       void (*fn)(void *arg, enum finding finding, const char *what,
				  const char *text))
{
	struct kernel_event ev = {.type = PERF_TYPE_SOFTWARE,
				  .config = {PERF_COUNT_SW_PAGE_FAULTS},
				  .exclude_kernel = 1,
				  .exclude_hv = 1};
	const struct kernel_event execution = {
		.type = PERF_TYPE_BREAKPOINT,
		.bp_type = HW_BREAKPOINT_X,
		.config = {0, (uintptr_t)try_event & ~UINT64_C(7), sizeof(long)},
		.exclude_kernel = 1,
		.exclude_hv = 1};
	struct kernel_checkup c = {.hardware = hardware};
	char pmu[160] = "";

	kernel_machine_read(env->root, &c.machine);
	c.software = try_event(env, &ev, CALLER);
	c.cpus = try_event(env, &ev, sched_getcpu());
	ev.exclude_kernel = ev.exclude_hv = 0;
	c.system = try_event(env, &ev, CALLER);
	c.breakpoint = try_event(env, &execution, CALLER);
	if (c.hardware)
		kernel_pfm_pmu(pmu, sizeof(pmu));
	c.pmu = pmu;
	kernel_doctor(&c, arg, fn);
}
