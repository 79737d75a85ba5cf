/* The findings of --doctor on fake machines: what is tried, and what is said of it. */
#include "engine/kernel/doctor.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/kernel/machine.h"
#include "fake_root.h"

#define DEVICES "sys/bus/event_source/devices/"

enum { CORE = 4, ATOM = 10, POWER = 24, IMC_0 = 30, IMC_1 = 31, CHA = 32 };

static char root[] = "/tmp/doctor-XXXXXX";

static void put_pmu(const char *name, const char *type, const char *file,
		    const char *cpus, const char *event)
{
	char path[200];

	snprintf(path, sizeof path, DEVICES "%s/type", name);
	fake_root_put(root, path, type);
	snprintf(path, sizeof path, DEVICES "%s/%s", name, file);
	fake_root_put(root, path, cpus);
	snprintf(path, sizeof path, DEVICES "%s/format/event", name);
	fake_root_put(root, path, "config:0-7\n");
	if (!event)
		return;
	snprintf(path, sizeof path, DEVICES "%s/events/%s", name, event);
	fake_root_put(root, path, "event=2\n");
}

static int make_root(void **state)
{
	(void)state;
	return mkdtemp(root) ? 0 : -1;
}

static int remove_root(void **state)
{
	(void)state;
	return fake_root_remove(root);
}

static void put_level(const char *level)
{
	fake_root_put(root, "proc/sys/kernel/perf_event_paranoid", level);
}

/* What the fake kernel refuses. */
static struct {
	int cpus, caller;  /* errno for every event on a CPU, on the caller; 0: none */
	uint32_t dead_pmu; /* EINVAL for this PMU; 0: none */
	int no_atom;	   /* ENOENT for the extended type of cpu_atom */
} refused;

static int fake_open(struct perf_event_attr *attr, pid_t tid, int cpu, int leader,
		     unsigned long flags)
{
	(void)leader;
	(void)flags;
	const int of_cpu = tid == -1;
	const uint64_t of_core = attr->config >> PERF_PMU_TYPE_SHIFT;

	if (of_cpu && attr->type == POWER && attr->config != 2)
		errno = EINVAL; /* it has this event only */
	else if (of_cpu && attr->type == POWER && cpu != 1)
		errno = EINVAL;
	else if (refused.dead_pmu && attr->type == refused.dead_pmu)
		errno = EINVAL;
	else if (refused.no_atom && of_core == ATOM)
		errno = ENOENT;
	else if (of_cpu ? refused.cpus : refused.caller)
		errno = of_cpu ? refused.cpus : refused.caller;
	else
		return open("/dev/null", O_RDONLY | O_CLOEXEC);
	return -1;
}

struct said {
	char line[32][1200];
	unsigned n;
};

static void note(void *arg, enum finding finding, const char *what, const char *text)
{
	static const char *const state[] = {
		[FINDING_OK] = "ok",
		[FINDING_LIMITED] = "limited",
		[FINDING_MISSING] = "missing",
		[FINDING_INFO] = "-",
	};
	struct said *s = arg;

	assert_true(s->n < 32);
	snprintf(s->line[s->n++], sizeof s->line[0], "%s %s: %s", state[finding], what,
		 text);
}

/* Fail unless one line is exactly this. */
static void assert_said(int line, const char *text)
{
	const struct kernel_env env = {root, fake_open};
	struct said s = {.n = 0};

	kernel_doctor_all(&env, 0, &s, note);
	for (unsigned i = 0; i < s.n; i++)
		if (strcmp(s.line[i], text) == 0)
			return;
	for (unsigned i = 0; i < s.n; i++)
		print_message("%s\n", s.line[i]);
	fail_msg("line %d: nothing says '%s'", line, text);
}

static void tries_what_the_level_allows(void **state)
{
	(void)state;
	refused = (typeof(refused)){.cpus = EACCES};
	put_level("3\n");
	assert_said(__LINE__,
		    "limited perf_event_paranoid: 3, which this kernel treats like 2: "
		    "processes in user mode for everybody; the rest with CAP_PERFMON");
	assert_said(__LINE__, "limited whole CPUs: cannot be counted (cpustat): that "
			      "takes root, CAP_PERFMON, or kernel.perf_event_paranoid at "
			      "0 or less");
	fake_root_put(root, "proc/self/status", "CapEff:\t0000004000000000\n");
	assert_said(__LINE__,
		    "ok perf_event_paranoid: 3, which this kernel treats like 2: "
		    "processes in user mode for everybody; the rest with CAP_PERFMON "
		    "(which this process has)");
	refused.caller = EACCES;
	assert_said(__LINE__,
		    "limited perf_event_paranoid: 3: nothing without CAP_SYS_ADMIN");
	assert_said(__LINE__, "limited whole CPUs: cannot be counted (cpustat): that "
			      "takes root, or kernel.perf_event_paranoid at 0 or less");
	refused = (typeof(refused)){0};
	put_level("-1\n");
	assert_said(__LINE__, "ok perf_event_paranoid: -1: everything for everybody");
}

static void says_what_pmus_are_missing(void **state)
{
	(void)state;
	refused = (typeof(refused)){0};
	assert_said(__LINE__, "- energy: the kernel shows no counters of energy (RAPL, "
			      "PMU power)");
	assert_said(__LINE__, "- uncore: the kernel shows no PMUs of packages or memory "
			      "controllers");
	assert_said(__LINE__,
		    "- hybrid cores: the kernel shows at most one kind of core");
}

static void tries_pmus(void **state)
{
	(void)state;
	refused = (typeof(refused)){0};
	put_pmu("power", "24\n", "cpumask", "1,3\n", "energy-pkg");
	put_pmu("uncore_imc_0", "30\n", "cpumask", "0\n", "cas_count_read");
	put_pmu("uncore_imc_1", "31\n", "cpumask", "0\n", "cas_count_read");
	put_pmu("uncore_cha", "32\n", "cpumask", "0\n", NULL);
	put_pmu("cpu_core", "4\n", "cpus", "0-3\n", NULL);
	put_pmu("cpu_atom", "10\n", "cpus", "4-7\n", NULL);
	put_pmu("msr", "40\n", "other", "\n", "tsc"); /* neither of them */
	assert_said(__LINE__, "ok energy: power/energy-pkg/ can be counted on CPUs");
	assert_said(__LINE__,
		    "ok uncore: uncore_cha, uncore_imc (2) can be counted on CPUs");
	assert_said(__LINE__, "ok hybrid cores: cpu_atom on CPUs 4-7, cpu_core on CPUs "
			      "0-3 can be counted");
	refused.dead_pmu = IMC_1;
	refused.no_atom = 1;
	assert_said(__LINE__,
		    "limited uncore: uncore_cha, uncore_imc (1) can be counted on CPUs; "
		    "1 of 3 PMUs cannot be counted (uncore_imc_1: Invalid argument)");
	assert_said(__LINE__,
		    "limited hybrid cores: cpu_core on CPUs 0-3 can be counted; 1 of 2 "
		    "PMUs cannot be counted (cpu_atom: No such file or directory)");
	refused = (typeof(refused)){.cpus = EACCES};
	assert_said(__LINE__, "missing energy: 1 of 1 PMUs cannot be counted (power: "
			      "Permission denied, as for whole CPUs)");
}

/* Checks one member of a checkup, and a part of the line that reports it. */
static const struct {
	int line;
	struct kernel_checkup checkup;
	const char *text;
} checkups[] = {
	{__LINE__, {.machine = {.paranoid = -1}}, "everything for everybody"},
	{__LINE__, {.machine = {.paranoid = 0}}, "processes and CPUs, user and system"},
	{__LINE__, {.machine = {.paranoid = 1}}, "processes, user and system mode"},
	{__LINE__, {.machine = {.paranoid = 2}}, "processes in user mode"},
	{__LINE__, {.machine = {.paranoid = KERNEL_UNKNOWN}}, "cannot be read"},
	{__LINE__, {.machine = {.no_perf = 1}}, "built without perf events"},
	{__LINE__, {.machine = {.no_stops = 1}}, "can be opened, but never count"},
	{__LINE__, {.hardware = 0}, "software events and breakpoints can be counted"},
	{__LINE__, {.machine = {.no_stops = 1}}, "; software events can be counted"},
	{__LINE__, {.breakpoint = EIO}, "; software events can be counted"},
	{__LINE__, {.machine = {.container = 1}}, "seccomp profile"},
	{__LINE__, {.machine = {.lockdown = 1}}, "locked down"},
	{__LINE__, {.hardware = 1, .machine = {.nmi_watchdog = 1}}, "nmi watchdog"},
	{__LINE__, {.hardware = 1}, "libpfm4 does not know this processor"},
	{__LINE__, {.cpus = EACCES, .machine = {.paranoid = 2}}, "cannot be counted"},
	{__LINE__, {.cpus = EINVAL}, "Invalid argument"},
};

static void reports_checkups(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof checkups / sizeof checkups[0]; i++) {
		struct kernel_checkup c = checkups[i].checkup;
		struct said s = {.n = 0};
		unsigned found = 0;

		if (!c.pmu)
			c.pmu = "";
		kernel_doctor(&c, &s, note);
		for (unsigned n = 0; n < s.n; n++)
			found += strstr(s.line[n], checkups[i].text) != NULL;
		if (found != 1)
			fail_msg("line %d: %u lines have '%s'", checkups[i].line, found,
				 checkups[i].text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tries_what_the_level_allows),
		cmocka_unit_test(says_what_pmus_are_missing),
		cmocka_unit_test(tries_pmus),
		cmocka_unit_test(reports_checkups),
	};
	return cmocka_run_group_tests(tests, make_root, remove_root);
}
