#include "engine/kernel/refusal.h"

#include <errno.h>
#include <linux/capability.h>
#include <linux/perf_event.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "engine/why.h"

#define USER_ONLY .exclude_kernel = 1, .exclude_hv = 1
#define PERFMON	  (1ull << CAP_PERFMON)
#define ADMIN	  (1ull << CAP_SYS_ADMIN)

static const struct {
	int line;
	struct kernel_refusal r;
	struct kernel_machine m;
	const char *cause, *help; /* parts of the message, in this order */
} cases[] = {
	{__LINE__,
	 {.err = ENOENT,
	  .name = "instructions",
	  .ev = {.type = PERF_TYPE_HARDWARE, USER_ONLY}},
	 {.hypervisor = 1},
	 "instructions: this virtual machine has no hardware counters (no core PMU",
	 "software events or breakpoints, or run where the hypervisor passes"},
	{__LINE__,
	 {.err = ENOENT, .ev = {.type = PERF_TYPE_RAW}},
	 {.hypervisor = 0},
	 "this machine has no hardware counters",
	 "dmesg"},
	{__LINE__,
	 {.err = ENOENT,
	  .name = "x",
	  .ev = {.type = PERF_TYPE_HW_CACHE, .config = {0x10}}},
	 {.core_pmu = 1, .hypervisor = 1},
	 "the counters of this processor cannot count this event (type 3, config 0x10)",
	 "choose another"},
	{__LINE__,
	 {.err = ENOENT, .ev = {.type = PERF_TYPE_SOFTWARE, .config = {77}}},
	 {0},
	 "no software event 77",
	 "; a newer kernel may have it"},
	{__LINE__,
	 {.err = ENOENT, .ev = {.type = PERF_TYPE_TRACEPOINT, .config = {5}}},
	 {0},
	 "no tracepoint with id 5",
	 ""},
	{__LINE__,
	 {.err = ENOENT, .ev = {.type = PERF_TYPE_BREAKPOINT}},
	 {0},
	 "this machine has no hardware breakpoints",
	 ""},
	{__LINE__,
	 {.err = ENOENT, .name = "mem:16", .ev = {.type = PERF_TYPE_BREAKPOINT}},
	 {.no_stops = 1},
	 "mem:16: breakpoints never count on this machine",
	 "its processor does not stop at them"},
	{__LINE__,
	 {.err = ENOENT, .ev = {.type = PERF_TYPE_BREAKPOINT}},
	 {.no_stops = 1, .hypervisor = 1},
	 "breakpoints never count on this virtual machine, as its hypervisor does not",
	 "; run where it does"},
	{__LINE__,
	 {.err = ENOENT, .ev = {.type = PERF_TYPE_RAW}},
	 {.no_stops = 1, .hypervisor = 1},
	 "this virtual machine has no hardware counters",
	 "; count software events, or run where the hypervisor passes"},
	{__LINE__,
	 {.err = ENOENT, .ev = {.type = 42}},
	 {0},
	 "no PMU of this kernel counts this event (PMU type 42",
	 ""},

	{__LINE__,
	 {.err = EACCES, .name = "e", .ev = {.type = PERF_TYPE_SOFTWARE, USER_ONLY}},
	 {.paranoid = 4, .euid = 1000},
	 "perf_event_paranoid is 4, which allows counting to privileged users only",
	 "run as root (CAP_SYS_ADMIN; CAP_PERFMON is not enough)"},
	{__LINE__,
	 {.err = EACCES, .name = "e", .ev = {.type = PERF_TYPE_HARDWARE, USER_ONLY}},
	 {.paranoid = 3, .euid = 1000, .caps = PERFMON},
	 "perf_event_paranoid is 3, which allows counting to privileged users only",
	 "CAP_PERFMON is not enough"},
	/* a kernel that does not know level 3 */
	{__LINE__,
	 {.err = EACCES, .ev = {.type = PERF_TYPE_HARDWARE}},
	 {.paranoid = 3, .lenient = 1, .euid = 1000},
	 "counting system mode needs kernel.perf_event_paranoid 1 or less (it is 3) or "
	 "CAP_PERFMON",
	 ""},
	{__LINE__,
	 {.err = EACCES, .ev = {.type = PERF_TYPE_SOFTWARE}, .tid = -1},
	 {.paranoid = 3, .lenient = 1, .euid = 1000},
	 "counting whole CPUs needs kernel.perf_event_paranoid 0 or less (it is 3), "
	 "CAP_PERFMON or root;",
	 ""},
	{__LINE__,
	 {.err = EACCES, .ev = {.type = PERF_TYPE_HARDWARE}},
	 {.paranoid = 2, .euid = 1000},
	 "counting system mode needs kernel.perf_event_paranoid 1 or less (it is 2)",
	 "count user mode only"},
	{__LINE__,
	 {.err = EACCES, .ev = {.type = PERF_TYPE_SOFTWARE}, .kernel_only = 1},
	 {.paranoid = 2, .euid = 1000},
	 "this event happens in the kernel",
	 "perf_event_paranoid 1 or less"},
	{__LINE__,
	 {.err = EACCES, .ev = {.type = 9}, .together = 1},
	 {.paranoid = 2, .euid = 1000},
	 "its PMU cannot leave system mode out",
	 "CAP_PERFMON"},
	{__LINE__,
	 {.err = EACCES, .ev = {.type = PERF_TYPE_TRACEPOINT, USER_ONLY}},
	 {.paranoid = 0, .euid = 1000},
	 "this tracepoint needs kernel.perf_event_paranoid -1 (it is 0)",
	 "CAP_PERFMON"},
	{__LINE__,
	 {.err = EACCES, .ev = {.type = PERF_TYPE_TRACEPOINT}, .kernel_only = 1},
	 {.paranoid = 2, .euid = 1000},
	 "this event happens in the kernel",
	 "perf_event_paranoid 1 or less (it is 2)"},
	{__LINE__,
	 {.err = EACCES, .ev = {.type = PERF_TYPE_SOFTWARE, USER_ONLY}, .tid = 42},
	 {.paranoid = 2, .euid = 1000},
	 "not allowed to count LWP 42 (Permission denied)",
	 "same user"},
	{__LINE__,
	 {.err = EPERM, .ev = {.type = PERF_TYPE_SOFTWARE, USER_ONLY}},
	 {.paranoid = 2, .euid = 1000, .seccomp = 2, .container = 1},
	 "a seccomp filter (this is a container) forbids perf_event_open",
	 "--cap-add PERFMON"},
	{__LINE__,
	 {.err = EACCES, .ev = {.type = PERF_TYPE_HARDWARE}},
	 {.paranoid = 2, .euid = 1000, .seccomp = 2},
	 "counting system mode needs", /* the filter gives EPERM, the kernel EACCES */
	 "it is 2"},
	{__LINE__,
	 {.err = EPERM, .ev = {.type = PERF_TYPE_HARDWARE}},
	 {.paranoid = 4, .caps = ADMIN, .lockdown = 1},
	 "the kernel is locked down and refuses this event (Operation not permitted)",
	 "/sys/kernel/security/lockdown"},
	{__LINE__,
	 {.err = EACCES, .ev = {.type = PERF_TYPE_HARDWARE}},
	 {.paranoid = KERNEL_UNKNOWN, .euid = 1000},
	 "refuses this event (Permission denied), and kernel.perf_event_paranoid cannot "
	 "be read",
	 "try as root"},
	{__LINE__,
	 {.err = EACCES, .ev = {.type = PERF_TYPE_HARDWARE}},
	 {.paranoid = 4, .caps = ADMIN},
	 "although kernel.perf_event_paranoid is 4 and the caller is privileged",
	 "security module"},

	{__LINE__,
	 {.err = EACCES, .ev = {.type = PERF_TYPE_HARDWARE, USER_ONLY}, .tid = -1},
	 {.paranoid = 1, .euid = 1000},
	 "counting whole CPUs needs kernel.perf_event_paranoid 0 or less (it is 1), "
	 "CAP_PERFMON or root;",
	 "run with that capability or as root, or let root set it"},
	{__LINE__,
	 {.err = EACCES, .ev = {.type = PERF_TYPE_TRACEPOINT}, .tid = -1},
	 {.paranoid = 2, .euid = 1000},
	 "counting whole CPUs needs kernel.perf_event_paranoid 0 or less (it is 2), "
	 "CAP_PERFMON or root;",
	 "run with that capability or as root, or let root set it"},
	{__LINE__,
	 {.err = EACCES, .ev = {.type = PERF_TYPE_SOFTWARE}, .tid = -1},
	 {.paranoid = 3, .euid = 1000, .caps = PERFMON},
	 "counting whole CPUs needs kernel.perf_event_paranoid 0 or less (it is 3) or "
	 "root (CAP_SYS_ADMIN; CAP_PERFMON is enough where it is 2 or less);",
	 "run as root, or let root set it"},
	{__LINE__,
	 {.err = EPERM, .ev = {.type = PERF_TYPE_SOFTWARE}, .tid = -1},
	 {.paranoid = 2, .euid = 1000, .seccomp = 2, .container = 1},
	 "a seccomp filter (this is a container) forbids perf_event_open",
	 "--cap-add PERFMON"},
	{__LINE__,
	 {.err = ENOENT, .name = "e", .tid = -1, .cpu = 3, .cpus = (char *)"0,28"},
	 {0},
	 "e: its PMU counts on CPUs 0,28 only, not on CPU 3",
	 "count the event there"},
	{__LINE__,
	 {.err = ENOENT, .tid = -1, .cpu = 12, .cpus = (char *)"0"},
	 {0},
	 "its PMU counts on CPU 0 only, not on CPU 12",
	 "count the event there"},
	{__LINE__,
	 {.err = ENOENT, .tid = -1, .cpu = 0, .cpus = (char *)""},
	 {0},
	 "its PMU counts on no CPU now, not on CPU 0",
	 ""},
	{__LINE__,
	 {.err = EINVAL, .ev = {.type = 9, .percpu = 1}, .tid = -1},
	 {0},
	 "does not accept this event (type 9",
	 ""},
	{__LINE__,
	 {.err = EINVAL, .ev = {.type = 9, .percpu = 1}, .tid = -1, .cgroup = "a/b"},
	 {0},
	 "its PMU counts whole CPUs, not cgroups",
	 "count the event without --cgroup"},
	{__LINE__,
	 {.err = EINVAL, .ev = {.type = 9}, .tid = -1, .cgroup = "a/b"},
	 {0},
	 "does not accept this event (type 9",
	 ""},
	{__LINE__,
	 {.err = EINVAL, .ev = {.type = PERF_TYPE_SOFTWARE}, .tid = -1, .cgroup = "a/b"},
	 {0},
	 "this kernel was built without counting of cgroups",
	 "CONFIG_CGROUP_PERF"},
	{__LINE__,
	 {.err = ENOENT, .ev = {.type = PERF_TYPE_SOFTWARE}, .tid = -1, .cgroup = "a/b"},
	 {0},
	 "'a/b' is not a cgroup of the hierarchy that counts events, or was removed",
	 "/proc/PID/cgroup"},
	{__LINE__,
	 {.err = ENOENT,
	  .ev = {.type = PERF_TYPE_SOFTWARE, .config = {77}},
	  .tid = -1,
	  .cgroup = "a/b"},
	 {0},
	 "no software event 77",
	 ""},
	{__LINE__,
	 {.err = EBADF, .ev = {.type = PERF_TYPE_RAW}, .tid = -1, .cgroup = "a/b"},
	 {0},
	 "'a/b' is not a cgroup",
	 ""},
	{__LINE__,
	 {.err = EMFILE, .fds_need = 3, .tid = -1, .cgroup = "a/b"},
	 {.fds_open = 19999, .fds_limit = 20000},
	 "19999 of 20000 file descriptors are open and one more cgroup needs 3",
	 "events or cgroups at a time"},
	{__LINE__,
	 {.err = EACCES, .ev = {.type = PERF_TYPE_SOFTWARE}, .tid = -1, .cgroup = "a/b"},
	 {.paranoid = 2, .euid = 1000},
	 "counting cgroups needs kernel.perf_event_paranoid 0 or less (it is 2), "
	 "CAP_PERFMON or root;",
	 "run with that capability or as root"},
	{__LINE__,
	 {.err = EINVAL, .tid = -1, .cpu = 99, .no_cpu = 1},
	 {0},
	 "this machine has no CPU 99",
	 "cpu/present"},
	{__LINE__,
	 {.err = ENODEV, .tid = -1, .cpu = 1},
	 {0},
	 "CPU 1 is offline",
	 "cpu/online"},
	{__LINE__, {.err = ENOSYS}, {.seccomp = 2}, "a seccomp filter hides", "profile"},
	{__LINE__,
	 {.err = ENOSYS},
	 {.no_perf = 1},
	 "built without perf events",
	 "use a kernel that has them"},
	{__LINE__,
	 {.err = ENOSYS},
	 {.paranoid = 2},
	 "the system call perf_event_open is missing",
	 "run directly on a Linux kernel"},
	{__LINE__,
	 {.err = EMFILE, .fds_need = 3},
	 {.fds_open = 1022, .fds_limit = 1024},
	 "1022 of 1024 file descriptors are open and one more LWP needs 3",
	 "(ulimit -n), or count fewer events or LWPs at a time"},
	{__LINE__,
	 {.err = EMFILE, .fds_need = 8, .tid = -1},
	 {.fds_open = 1020, .fds_limit = 1024},
	 "1020 of 1024 file descriptors are open and one more CPU needs 8",
	 "(ulimit -n), or count fewer events or CPUs at a time"},
	{__LINE__,
	 {.err = ENFILE},
	 {0},
	 "too many files are open on the whole machine",
	 "fs.file-max"},
	{__LINE__, {.err = ESRCH, .tid = 7}, {0}, "LWP 7 does not exist any more", ""},
	{__LINE__, {.err = ESRCH}, {0}, "the LWP does not exist any more", ""},
	{__LINE__,
	 {.err = EBUSY},
	 {0},
	 "another program uses the PMU exclusively",
	 "try again when that program has ended"},
	{__LINE__,
	 {.err = ENODEV},
	 {0},
	 "its PMU or CPU is not available",
	 "/sys/devices/system/cpu/online"},
	{__LINE__,
	 {.err = EINVAL,
	  .ev = {.type = PERF_TYPE_BREAKPOINT, .bp_type = 1, .config = {0, 16, 8}}},
	 {0},
	 "cannot watch address 0x10 with length 8 and access r;",
	 "use rw"},
	{__LINE__,
	 {.err = EINVAL, .ev = {.type = PERF_TYPE_BREAKPOINT, .bp_type = 4}},
	 {0},
	 "access x",
	 ""},
	{__LINE__,
	 {.err = EINVAL, .ev = {.type = 9, .percpu = 1}},
	 {0},
	 "its PMU counts whole CPUs, not LWPs",
	 "count the event per CPU"},
	{__LINE__,
	 {.err = EINVAL, .ev = {.type = PERF_TYPE_RAW, .config = {0xff, 2}}},
	 {.nmi_watchdog = 1},
	 "does not accept this event (type 4, config 0xff, config1 0x2)",
	 "the NMI watchdog uses a counter, which kernel.nmi_watchdog=0 frees"},
	{__LINE__,
	 {.err = EOPNOTSUPP, .ev = {.precise = 1}},
	 {0},
	 "this processor cannot count this event precisely",
	 "leave out ':precise'"},
	{__LINE__,
	 {.err = EOPNOTSUPP, .no_interrupt = 1},
	 {0},
	 "this event can be counted, but cannot interrupt when it overflows",
	 "CPC_OVF_NOTIFY_EMT"},
	{__LINE__,
	 {.err = EOPNOTSUPP},
	 {0},
	 "with the requested modes or features",
	 "together"},
	{__LINE__,
	 {.err = ENOSPC, .ev = {.type = PERF_TYPE_BREAKPOINT}},
	 {0},
	 "all breakpoint registers of its kind are in use",
	 "fewer addresses"},
	{__LINE__, {.err = ENOSPC}, {0}, "the kernel has no room", "count fewer events"},
	{__LINE__,
	 {.err = E2BIG},
	 {0},
	 "the kernel is too old for an option",
	 "use a newer kernel"},
	{__LINE__,
	 {.err = ENOMEM},
	 {0},
	 "there is no memory for one more event",
	 "count fewer events"},
	{__LINE__,
	 {.err = EIO, .name = "e"},
	 {0},
	 "e: perf_event_open(2) failed: Input",
	 ""},
};

static void names_cause_and_help(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct why why = {""};
		kernel_refusal_text(&cases[i].r, &cases[i].m, &why);
		const char *cause = strstr(why.text, cases[i].cause);
		if (!cause || !strstr(cause, cases[i].help) || strchr(why.text, '\n'))
			fail_msg("line %d: '%s'", cases[i].line, why.text);
	}
}

/* Advice is given only if it applies. */
static void gives_no_wrong_advice(void **state)
{
	(void)state;
	const struct kernel_refusal raw = {.err = EINVAL, .ev = {.type = PERF_TYPE_RAW}};
	const struct kernel_refusal watch = {
		.err = EINVAL, .ev = {.type = PERF_TYPE_BREAKPOINT, .bp_type = 2}};
	const struct kernel_machine quiet = {.nmi_watchdog = 0};
	struct why why;

	kernel_refusal_text(&raw, &quiet, &why);
	assert_null(strstr(why.text, "watchdog"));
	kernel_refusal_text(&watch, &quiet, &why);
	assert_null(strstr(why.text, "use rw"));
}

static void keeps_within_its_buffer(void **state)
{
	(void)state;
	char name[4000];
	const struct kernel_refusal r = {.err = EMFILE, .name = name};
	const struct kernel_machine m = {0};
	struct why why;

	memset(name, 'n', sizeof(name));
	name[sizeof(name) - 1] = '\0';
	kernel_refusal_text(&r, &m, &why);
	assert_true(strlen(why.text) < sizeof(why.text));
	assert_non_null(strstr(why.text, "ulimit"));
}

static void why_refuse_sets_text_and_errno(void **state)
{
	(void)state;
	struct why why;

	errno = 0;
	assert_int_equal(why_refuse(&why, EINVAL, "%s: %d", "a", 1), -1);
	assert_int_equal(errno, EINVAL);
	assert_string_equal(why.text, "a: 1");
	assert_int_equal(why_refuse(NULL, ENOENT, "x"), -1);
	assert_int_equal(errno, ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_cause_and_help),
		cmocka_unit_test(gives_no_wrong_advice),
		cmocka_unit_test(keeps_within_its_buffer),
		cmocka_unit_test(why_refuse_sets_text_and_errno),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
