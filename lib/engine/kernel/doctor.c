#include "engine/kernel/doctor.h"

#include <errno.h>
#include <linux/capability.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cpulist.h"
#include "base/text.h"
#include "engine/kernel/breakpoint.h"
#include "engine/kernel/pfm.h"
#include "engine/kernel/pmu.h"
#include "engine/kernel/sysfs.h"

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
	const int level = kernel_machine_level(m);
	const int open = level < 2, may = kernel_machine_privileged(m);
	snprintf(text, sizeof text, "%d%s: %s%s", m->paranoid,
		 level != m->paranoid ? ", which this kernel treats like 2" : "",
		 permissions(level), may && !open ? " (which this process has)" : "");
	add(r, may || open ? FINDING_OK : FINDING_LIMITED, "perf_event_paranoid", text);
}

static int counts_breakpoints(const struct kernel_checkup *c)
{
	return !c->breakpoint && !c->machine.no_stops;
}

static void check_hardware(const struct report *r, const struct kernel_checkup *c)
{
	char text[300];

	if (c->hardware) {
		snprintf(text, sizeof text, "%s",
			 *c->pmu ? c->pmu
				 : "available, but libpfm4 does not know this processor: "
				   "count instructions, cycles, numbers or pmu/event/ "
				   "names");
		add(r, FINDING_OK, "hardware counters", text);
	} else if (c->software) {
		add(r, FINDING_MISSING, "hardware counters",
		    "unknown: not even software events can be counted");
	} else {
		snprintf(text, sizeof text,
			 "this %smachine shows none to its kernel; software events "
			 "%scan be counted%s",
			 c->machine.hypervisor == 1 ? "virtual " : "",
			 counts_breakpoints(c) ? "and breakpoints " : "",
			 c->machine.hypervisor == 1
				 ? "; the hypervisor may be able to pass counters on "
				   "(vPMU)"
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
	check_cpus(&r, c->cpus, kernel_machine_level(&c->machine));
	check_hardware(&r, c);
	if (c->machine.no_stops)
		add(&r, FINDING_MISSING, "breakpoints",
		    "can be opened, but never count: the processor does not stop at "
		    "them");
	else
		check_try(&r, "breakpoints", c->breakpoint,
			  "mem:ADDR events can be counted");
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

/* The PMUs of a kind, and how they fared. */
struct kind {
	unsigned n, works;
	int err;	      /* of the last that does not work */
	char bad[64];	      /* its name */
	struct textbuf names; /* of those that work, or of their events */
};

enum { ENERGY, UNCORE, HYBRID, NKINDS, OTHER = NKINDS };

/* The attempts to count something with each PMU. */
struct trial {
	const struct kernel_env *env;
	struct kernel_pmus pmus;
	struct trial_pmu {
		int kind, cpu, err; /* err: errno of the last event, 0 if one opened */
	} * of;			    /* pmus.n */
	struct kind kind[NKINDS];
};

/* The PMU power has the energy of packages, power_core that of cores. */
static int kind_of(const struct kernel_env *env, struct kernel_pmus *p,
		   const struct kernel_pmu *pmu, int *cpu)
{
	if (!kernel_pmu_is_percpu(p, env->root, pmu->type, cpu))
		return OTHER;
	return strncmp(pmu->name, "power", 5) == 0 ? ENERGY : UNCORE;
}

static int try_name(const struct kernel_env *env, const char *name, int cpu)
{
	struct kernel_event ev;
	struct why why;
	char unit[160];

	if (kernel_sysfs_encode(env->root, name, &ev, unit, sizeof unit, &why))
		return errno;
	return try_event(env, &ev, cpu);
}

/* One event is enough for an uncore PMU; of energy each is shown. */
static void try_listed(void *arg, const char *name, const char *title)
{
	struct trial *t = arg;
	char pmu[64];
	unsigned i = 0;

	(void)title;
	kernel_sysfs_pmu(name, pmu, sizeof pmu);
	while (i < t->pmus.n && strcmp(t->pmus.pmu[i].name, pmu) != 0)
		i++;
	if (i == t->pmus.n || t->of[i].kind == OTHER ||
	    (t->of[i].kind == UNCORE && t->of[i].err == 0))
		return;
	const int err = try_name(t->env, name, t->of[i].cpu);
	if (err == 0 && t->of[i].kind == ENERGY) {
		textbuf_str(&t->kind[ENERGY].names,
			    t->kind[ENERGY].names.len ? ", " : "");
		textbuf_str(&t->kind[ENERGY].names, name);
	}
	if (t->of[i].err != 0)
		t->of[i].err = err;
}

/* PMUs that differ in their last number only are shown once. */
static size_t stem(const char *name)
{
	size_t n = strlen(name);

	while (n > 1 && name[n - 1] >= '0' && name[n - 1] <= '9')
		n--;
	return n > 1 && name[n - 1] == '_' ? n - 1 : strlen(name);
}

static int same_stem(const struct kernel_pmu *a, const struct kernel_pmu *b)
{
	return stem(a->name) == stem(b->name) &&
	       strncmp(a->name, b->name, stem(a->name)) == 0;
}

/* Append the names of the uncore PMUs that work: "uncore_cha (28), uncore_imc_free". */
static void name_uncore(struct trial *t, struct textbuf *b)
{
	for (unsigned i = 0, next; i < t->pmus.n; i = next) {
		unsigned works = 0;

		for (next = i;
		     next < t->pmus.n && same_stem(&t->pmus.pmu[i], &t->pmus.pmu[next]);
		     next++)
			works += t->of[next].kind == UNCORE && t->of[next].err == 0;
		if (!works)
			continue;
		textbuf_str(b, b->len ? ", " : "");
		if (next - i == 1) {
			textbuf_str(b, t->pmus.pmu[i].name);
			continue;
		}
		textbuf_put(b, t->pmus.pmu[i].name, stem(t->pmus.pmu[i].name));
		textbuf_str(b, " (");
		textbuf_num(b, works, 0);
		textbuf_char(b, ')');
	}
}

static void count_pmu(struct kind *k, const char *name, int err)
{
	k->n++;
	k->works += err == 0;
	if (err == 0)
		return;
	k->err = err;
	snprintf(k->bad, sizeof k->bad, "%.63s", name);
}

/* Try cycles on a CPU of each kind of core. */
static void try_cores(struct trial *t)
{
	struct kernel_core core[KERNEL_SYSFS_CORES];
	const unsigned n = kernel_sysfs_cores(t->env->root, core);
	struct kind *k = &t->kind[HYBRID];

	for (unsigned i = 0; n > 1 && i < n; i++) {
		const struct kernel_event cycles = {
			.type = PERF_TYPE_HARDWARE,
			.config = {(uint64_t)core[i].type << PERF_PMU_TYPE_SHIFT |
				   PERF_COUNT_HW_CPU_CYCLES},
			.exclude_kernel = 1,
			.exclude_hv = 1};
		struct cpulist cpus = {0};
		int err = ENODEV;

		if (kernel_pmu_cpus(&t->pmus, t->env->root, core[i].type, &cpus) == 1 &&
		    cpus.n > 0)
			err = try_event(t->env, &cycles, cpus.cpu[0]);
		char *text = cpulist_text(&cpus);
		cpulist_free(&cpus);
		count_pmu(k, core[i].name, err);
		if (err == 0) {
			textbuf_str(&k->names, k->names.len ? ", " : "");
			textbuf_str(&k->names, core[i].name);
			textbuf_str(&k->names, " on CPUs ");
			textbuf_str(&k->names, text ? text : "?");
		}
		free(text);
	}
}

static const struct {
	const char *what, *works, *none;
} kinds[] = {
	[ENERGY] = {"energy", "can be counted on CPUs",
		    "the kernel shows no counters of energy (RAPL, PMU power)"},
	[UNCORE] = {"uncore", "can be counted on CPUs",
		    "the kernel shows no PMUs of packages or memory controllers"},
	[HYBRID] = {"hybrid cores", "can be counted",
		    "the kernel shows at most one kind of core"},
};

static void report_kind(const struct report *r, unsigned kind, struct kind *k)
{
	char *names = textbuf_end(&k->names);
	char text[1024], bad[256] = "";

	if (k->works < k->n)
		snprintf(bad, sizeof bad, "%u of %u PMUs cannot be counted (%s: %s%s)",
			 k->n - k->works, k->n, k->bad, strerror(k->err),
			 k->err == EACCES || k->err == EPERM ? ", as for whole CPUs"
							     : "");
	if (k->works)
		snprintf(text, sizeof text, "%.600s %s%s%s", names ? names : "?",
			 kinds[kind].works, *bad ? "; " : "", bad);
	else
		snprintf(text, sizeof text, "%s", k->n ? bad : kinds[kind].none);
	add(r,
	    !k->n	       ? FINDING_INFO
	    : k->works == k->n ? FINDING_OK
	    : k->works	       ? FINDING_LIMITED
			       : FINDING_MISSING,
	    kinds[kind].what, text);
	free(names);
}

/* Try the PMUs of energy and of packages, and each kind of core. */
static void check_pmus(const struct kernel_env *env, const struct report *r)
{
	struct trial t = {.env = env};
	const struct engine_walk listed = {
		.kinds = ENGINE_EVENTS, .arg = &t, .name = try_listed};

	kernel_pmu_read(&t.pmus, env->root);
	t.of = calloc(t.pmus.n + 1, sizeof *t.of);
	for (unsigned i = 0; t.of && i < t.pmus.n; i++) {
		t.of[i].kind = kind_of(env, &t.pmus, &t.pmus.pmu[i], &t.of[i].cpu);
		t.of[i].err = ENOENT;
	}
	if (t.of)
		kernel_sysfs_walk(env->root, &listed);
	for (unsigned i = 0; t.of && i < t.pmus.n; i++) {
		char name[96];

		if (t.of[i].kind == OTHER)
			continue;
		snprintf(name, sizeof name, "%s/config=0/", t.pmus.pmu[i].name);
		if (t.of[i].kind == UNCORE && t.of[i].err == ENOENT)
			t.of[i].err = try_name(env, name, t.of[i].cpu);
		count_pmu(&t.kind[t.of[i].kind], t.pmus.pmu[i].name, t.of[i].err);
	}
	if (t.of)
		name_uncore(&t, &t.kind[UNCORE].names);
	try_cores(&t);
	for (unsigned k = 0; k < NKINDS; k++)
		report_kind(r, k, &t.kind[k]);
	free(t.of);
	kernel_pmu_free(&t.pmus);
}

/*
 * Try as an ordinary user would: the capabilities of this thread are put back. If they
 * cannot be dropped, the kernel counts as knowing its level.
 */
static void try_level(const struct kernel_env *env, struct kernel_machine *m)
{
	struct __user_cap_header_struct who = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct had[_LINUX_CAPABILITY_U32S_3],
		less[_LINUX_CAPABILITY_U32S_3];

	if (m->paranoid <= 2 || syscall(SYS_capget, &who, had) == -1)
		return;
	memcpy(less, had, sizeof less);
	less[CAP_TO_INDEX(CAP_SYS_ADMIN)].effective &= ~CAP_TO_MASK(CAP_SYS_ADMIN);
	less[CAP_TO_INDEX(CAP_PERFMON)].effective &= ~CAP_TO_MASK(CAP_PERFMON);
	if (syscall(SYS_capset, &who, less) == -1)
		return;
	kernel_machine_try(env, m);
	syscall(SYS_capset, &who, had);
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
	try_level(env, &c.machine);
	c.software = try_event(env, &ev, CALLER);
	c.cpus = try_event(env, &ev, sched_getcpu());
	ev.exclude_kernel = ev.exclude_hv = 0;
	c.system = try_event(env, &ev, CALLER);
	c.breakpoint = try_event(env, &execution, CALLER);
	c.machine.no_stops = kernel_breakpoint_stops(env, HW_BREAKPOINT_X) == 0;
	if (c.hardware)
		kernel_pfm_pmu(pmu, sizeof(pmu));
	c.pmu = pmu;
	kernel_doctor(&c, arg, fn);
	check_pmus(env, &(struct report){arg, fn});
}
