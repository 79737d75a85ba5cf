#include "engine/kernel/refusal.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A message that is being written. */
struct message {
	const struct kernel_refusal *r;
	const struct kernel_machine *m;
	struct why *why;
};

static void put(const struct message *s, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
static void put(const struct message *s, const char *fmt, ...)
{
	va_list ap;
	int n = 0;

	if (s->r->name)
		n = snprintf(s->why->text, sizeof(s->why->text), "%.300s: ", s->r->name);
	va_start(ap, fmt);
	vsnprintf(s->why->text + n, sizeof(s->why->text) - (size_t)n, fmt, ap);
	va_end(ap);
}

/* Does the event need hardware counters of the processor core? */
static int needs_core(const struct kernel_event *ev)
{
	return ev->type == PERF_TYPE_HARDWARE || ev->type == PERF_TYPE_HW_CACHE ||
	       ev->type == PERF_TYPE_RAW;
}

static int in_kernel(const struct message *s)
{
	return !s->r->ev.exclude_kernel;
}

/* A list such as "0-3,7" has several CPUs; an empty list means that none is online. */
static void say_elsewhere(const struct message *s)
{
	const char *cpus = s->r->cpus;

	put(s, "its PMU counts on %s%s%s, not on CPU %d%s",
	    !*cpus		  ? "no CPU now"
	    : strpbrk(cpus, ",-") ? "CPUs "
				  : "CPU ",
	    cpus, *cpus ? " only" : "", s->r->cpu,
	    *cpus ? "; count the event there" : "");
}

/* The kernel takes only folders of cgroups that have the controller perf_event. */
static void say_no_cgroup(const struct message *s)
{
	put(s,
	    "'%s' is not a cgroup of the hierarchy that counts events, or was removed; "
	    "name a cgroup that /proc/PID/cgroup shows",
	    s->r->cgroup);
}

static void say_no_breakpoints(const struct message *s)
{
	if (!s->m->no_stops)
		put(s, "this machine has no hardware breakpoints for the kernel to use");
	else if (s->m->hypervisor)
		put(s,
		    "breakpoints never count on this virtual machine, as its hypervisor "
		    "does not pass the processor's debug registers on; run where it "
		    "does");
	else
		put(s,
		    "breakpoints never count on this machine, as its processor does not "
		    "stop at them");
}

static void say_missing(const struct message *s)
{
	const struct kernel_event *ev = &s->r->ev;
	const unsigned long long config = ev->config[0];
	const int virtual = s->m->hypervisor != 0;

	if (s->r->cpus)
		say_elsewhere(s);
	else if (s->r->cgroup && ev->type == PERF_TYPE_SOFTWARE &&
		 ev->config[0] < PERF_COUNT_SW_MAX)
		say_no_cgroup(s);
	else if (ev->type == PERF_TYPE_SOFTWARE)
		put(s,
		    "this kernel has no software event %llu; a newer kernel may have it",
		    config);
	else if (ev->type == PERF_TYPE_TRACEPOINT)
		put(s, "this kernel has no tracepoint with id %llu", config);
	else if (ev->type == PERF_TYPE_BREAKPOINT)
		say_no_breakpoints(s);
	else if (!needs_core(ev))
		put(s,
		    "no PMU of this kernel counts this event (PMU type %u, config "
		    "0x%llx)",
		    ev->type, config);
	else if (s->m->core_pmu == 1)
		put(s,
		    "the counters of this processor cannot count this event (type %u, "
		    "config 0x%llx); choose another",
		    ev->type, config);
	else
		put(s,
		    "this %smachine has no hardware counters (no core PMU in "
		    "/sys/bus/event_source/devices); count software events%s, "
		    "or %s",
		    virtual ? "virtual " : "", s->m->no_stops ? "" : " or breakpoints",
		    virtual ? "run where the hypervisor passes the counters on"
			    : "see in the kernel's log why it did not find a PMU (dmesg "
			      "| grep PMU)");
}

/*
 * perf_event_open(2) gives the rules of perf_event_paranoid; levels 3 and 4 are additions
 * of distributions.
 */
static void say_paranoid(const struct message *s)
{
	const int level = s->m->paranoid, rules = kernel_machine_level(s->m);
	const char *what = s->r->cgroup ? "cgroups" : "whole CPUs";

	if (s->r->tid == -1 && rules < 3)
		put(s,
		    "counting %s needs kernel.perf_event_paranoid 0 or less (it "
		    "is %d), CAP_PERFMON or root; run with that capability or as root, "
		    "or let root set it",
		    what, level);
	else if (s->r->tid == -1)
		put(s,
		    "counting %s needs kernel.perf_event_paranoid 0 or less (it "
		    "is %d) or root (CAP_SYS_ADMIN; CAP_PERFMON is enough where it is 2 "
		    "or less); run as root, or let root set it",
		    what, level);
	else if (rules >= 3)
		put(s,
		    "kernel.perf_event_paranoid is %d, which allows counting to "
		    "privileged users only; run as root (CAP_SYS_ADMIN; CAP_PERFMON is "
		    "not enough), or let root set it to 2 (user mode) or 1 (also system "
		    "mode)",
		    level);
	else if (s->r->ev.type == PERF_TYPE_TRACEPOINT && level < 2)
		put(s,
		    "this tracepoint needs kernel.perf_event_paranoid -1 (it is %d) or "
		    "CAP_PERFMON; run with that capability or let root set it",
		    level);
	else if (s->r->together)
		put(s,
		    "its PMU cannot leave system mode out, and counting system mode "
		    "needs kernel.perf_event_paranoid 1 or less (it is %d) or "
		    "CAP_PERFMON",
		    level);
	else if (s->r->kernel_only)
		put(s,
		    "this event happens in the kernel, and counting system mode needs "
		    "kernel.perf_event_paranoid 1 or less (it is %d) or CAP_PERFMON",
		    level);
	else
		put(s,
		    "counting system mode needs kernel.perf_event_paranoid 1 or less (it "
		    "is %d) or CAP_PERFMON; or count user mode only",
		    level);
}

/* Does the level of kernel.perf_event_paranoid forbid the event? */
static int is_paranoid(const struct message *s)
{
	const int level = kernel_machine_level(s->m);

	if (level == KERNEL_UNKNOWN || kernel_machine_privileged(s->m))
		return 0;
	if (s->r->ev.type == PERF_TYPE_TRACEPOINT && level > -1)
		return 1;
	if (s->r->tid == -1 && level > 0)
		return 1;
	return level >= 3 || (level >= 2 && in_kernel(s));
}

static void say_forbidden(const struct message *s)
{
	const char *text = strerror(s->r->err);

	if (s->m->seccomp == 2 && s->r->err == EPERM)
		put(s,
		    "a seccomp filter (%s) forbids perf_event_open; start the container "
		    "with --cap-add PERFMON, or with a seccomp profile that allows the "
		    "call",
		    s->m->container ? "this is a container"
				    : "a container's or service's");
	else if (is_paranoid(s))
		say_paranoid(s);
	else if (s->r->tid > 0 && !kernel_machine_privileged(s->m))
		put(s,
		    "not allowed to count LWP %d (%s): it must run as the same user and "
		    "not be set-id; else root or CAP_PERFMON and CAP_SYS_PTRACE are "
		    "needed",
		    (int)s->r->tid, text);
	else if (s->m->lockdown)
		put(s,
		    "the kernel is locked down and refuses this event (%s); see "
		    "/sys/kernel/security/lockdown",
		    text);
	else if (s->m->paranoid == KERNEL_UNKNOWN)
		put(s,
		    "the kernel refuses this event (%s), and kernel.perf_event_paranoid "
		    "cannot be read; try as root",
		    text);
	else
		put(s,
		    "the kernel refuses this event (%s) although "
		    "kernel.perf_event_paranoid is %d%s; a security module%s may forbid "
		    "it",
		    text, s->m->paranoid,
		    kernel_machine_privileged(s->m) ? " and the caller is privileged"
						    : "",
		    s->m->container ? " or the container's host" : "");
}

static void say_no_call(const struct message *s)
{
	if (s->m->seccomp == 2)
		put(s,
		    "a seccomp filter hides perf_event_open from this process; start the "
		    "container with a seccomp profile that allows the call");
	else if (s->m->no_perf)
		put(s,
		    "this kernel was built without perf events (CONFIG_PERF_EVENTS); use "
		    "a kernel that has them");
	else
		put(s,
		    "the system call perf_event_open is missing: the kernel lacks it, or "
		    "an emulator or sandbox does not pass it on; run directly on a Linux "
		    "kernel");
}

static void say_files(const struct message *s)
{
	const char *what = s->r->cgroup ? "cgroup" : s->r->tid == -1 ? "CPU" : "LWP";

	put(s,
	    "%lu of %lu file descriptors are open and one more %s needs %u; raise the "
	    "limit (ulimit -n), or count fewer events or %ss at a time",
	    s->m->fds_open, s->m->fds_limit, what, s->r->fds_need, what);
}

static void say_break(const struct message *s)
{
	static const char *const access[] = {"x", "r", "w",
					     "rw"}; /* HW_BREAKPOINT_X is 4 */
	const struct kernel_event *ev = &s->r->ev;

	put(s,
	    "the processor cannot watch address 0x%llx with length %llu and access %s%s",
	    (unsigned long long)ev->config[1], (unsigned long long)ev->config[2],
	    access[ev->bp_type & 3],
	    ev->bp_type == 1 ? "; x86 cannot watch reads only, use rw" : "");
}

static void say_invalid(const struct message *s)
{
	if (s->r->no_cpu)
		put(s, "this machine has no CPU %d; see /sys/devices/system/cpu/present",
		    s->r->cpu);
	else if (s->r->ev.type == PERF_TYPE_BREAKPOINT)
		say_break(s);
	else if (s->r->cgroup && s->r->ev.percpu)
		put(s, "its PMU counts whole CPUs, not cgroups; count the event without "
		       "--cgroup");
	else if (s->r->cgroup && kernel_event_is_software(&s->r->ev))
		put(s, "this kernel was built without counting of cgroups "
		       "(CONFIG_CGROUP_PERF)");
	else if (s->r->ev.percpu && s->r->tid != -1)
		put(s, "its PMU counts whole CPUs, not LWPs; count the event per CPU "
		       "(cpustat)");
	else
		put(s,
		    "the kernel does not accept this event (type %u, config 0x%llx, "
		    "config1 0x%llx)%s",
		    s->r->ev.type, (unsigned long long)s->r->ev.config[0],
		    (unsigned long long)s->r->ev.config[1],
		    needs_core(&s->r->ev) && s->m->nmi_watchdog == 1
			    ? "; the NMI watchdog uses a counter, which "
			      "kernel.nmi_watchdog=0 frees"
			    : "");
}

static void say_full(const struct message *s)
{
	if (s->r->ev.type == PERF_TYPE_BREAKPOINT)
		put(s,
		    "all breakpoint registers of its kind are in use (x86 has 4 in all, "
		    "other processors few, shared with debuggers); watch fewer addresses "
		    "at a time");
	else
		put(s,
		    "the kernel has no room for one more event of this kind; count fewer "
		    "events at a time");
}

static void say_gone(const struct message *s)
{
	if (s->r->tid > 0)
		put(s, "LWP %d does not exist any more", (int)s->r->tid);
	else
		put(s, "the LWP does not exist any more");
}

static void say_offline(const struct message *s)
{
	static const char see[] = "see /sys/devices/system/cpu/online";

	if (s->r->tid == -1)
		put(s, "CPU %d is offline; %s", s->r->cpu, see);
	else
		put(s,
		    "its PMU or CPU is not available (offline, or of another kind of "
		    "core); %s",
		    see);
}

static void say_not_supported(const struct message *s)
{
	put(s,
	    s->r->no_interrupt
		    ? "this event can be counted, but cannot interrupt when it "
		      "overflows: its PMU has no interrupt, or several events are added "
		      "for it; leave "
		      "out CPC_OVF_NOTIFY_EMT"
	    : s->r->ev.precise
		    ? "this processor cannot count this event precisely; leave out "
		      "':precise'"
		    : "its PMU cannot count with the requested modes or features; count "
		      "user and system mode together");
}

/* The message for an errno, or the function that writes it if it depends on more. */
static const struct {
	int err;
	void (*write)(const struct message *s);
	const char *text;
} texts[] = {
	{ENOENT, say_missing, NULL},
	{EACCES, say_forbidden, NULL},
	{EPERM, say_forbidden, NULL},
	{ENOSYS, say_no_call, NULL},
	{EBADF, say_no_cgroup, NULL},
	{EMFILE, say_files, NULL},
	{ESRCH, say_gone, NULL},
	{EINVAL, say_invalid, NULL},
	{EOPNOTSUPP, say_not_supported, NULL},
	{ENOSPC, say_full, NULL},
	{ENFILE, NULL,
	 "too many files are open on the whole machine; root can raise fs.file-max"},
	{EBUSY, NULL,
	 "another program uses the PMU exclusively (perhaps a profiler); try again when "
	 "that program has ended"},
	{ENODEV, say_offline, NULL},
	{E2BIG, NULL,
	 "the kernel is too old for an option that this event needs (struct "
	 "perf_event_attr); use a newer kernel"},
	{ENOMEM, NULL,
	 "there is no memory for one more event; count fewer events at a time"},
};

void kernel_refusal_text(const struct kernel_refusal *r, const struct kernel_machine *m,
			 struct why *why)
{
	const struct message s = {r, m, why};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		if (texts[i].err != r->err)
			continue;
		if (texts[i].write)
			texts[i].write(&s);
		else
			put(&s, "%s", texts[i].text);
		return;
	}
	put(&s, "perf_event_open(2) failed: %s", strerror(r->err));
}
