#include "engine/kernel/machine.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

#include "fake_root.h"

static char root[] = "/tmp/machine-XXXXXX";

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

static void put(const char *path, const char *text)
{
	fake_root_put(root, path, text);
}

static void reads_an_empty_root(void **state)
{
	(void)state;
	struct kernel_machine m;

	errno = EBADF;
	kernel_machine_read(root, &m);
	assert_int_equal(errno, EBADF);
	assert_int_equal(m.paranoid, KERNEL_UNKNOWN);
	assert_int_equal(m.nmi_watchdog, KERNEL_UNKNOWN);
	assert_int_equal(m.seccomp, KERNEL_UNKNOWN);
	assert_false(m.no_perf || m.hypervisor || m.container || m.lockdown);
	assert_int_equal(m.caps, 0);
}

static void reads_a_machine(void **state)
{
	(void)state;
	struct kernel_machine m;

	put("proc/sys/kernel/nmi_watchdog", "1\n");
	kernel_machine_read(root, &m);
	assert_true(m.no_perf);
	put("proc/sys/kernel/perf_event_paranoid", "-1\n");
	put("proc/self/status", "Name:\tx\nCapEff:\t0000004000200000\nCapBnd:\t1\n"
				"Seccomp:\t2\nSeccomp_filters:\t1\n");
	put("proc/self/fd/0", "");
	put("proc/self/fd/1", "");
	put("proc/self/fd/7", "");
	put("proc/cpuinfo", "vendor_id\t: x\nflags\t\t: fpu hypervisor sse\nbugs\t\t:\n");
	put(".dockerenv", "");
	put("sys/kernel/security/lockdown", "none [integrity] confidentiality\n");
	kernel_machine_read(root, &m);
	assert_int_equal(m.paranoid, -1);
	assert_int_equal(m.nmi_watchdog, 1);
	assert_int_equal(m.caps, 0x4000200000);
	assert_int_equal(m.seccomp, 2);
	assert_int_equal(m.euid, geteuid());
	assert_true(m.hypervisor && m.container && m.lockdown);
	assert_false(m.no_perf);
	assert_int_equal(m.fds_open,
			 2); /* the descriptor of the folder itself is left out */
}

static void ignores_other_lines(void **state)
{
	(void)state;
	struct kernel_machine m;

	put("proc/cpuinfo", "flags\t\t: fpu\nmodel name\t: hypervisor\n");
	put("sys/kernel/security/lockdown", "[none] integrity confidentiality\n");
	put("proc/self/status", "Name:\tSeccomp:\t2\n");
	kernel_machine_read(root, &m);
	assert_false(m.hypervisor || m.lockdown);
	assert_int_equal(m.seccomp, KERNEL_UNKNOWN);
}

/* One file of the firmware is enough; /proc/cpuinfo has no flag. */
static void recognizes_virtual_machines(void **state)
{
	static const struct {
		int line;
		const char *file, *text;
		int is;
	} cases[] = {
		{__LINE__, "firmware/devicetree/base/compatible", "linux,dummy-virt", 1},
		{__LINE__, "firmware/devicetree/base/compatible", "xen,xenvm-4.17", 1},
		{__LINE__, "firmware/devicetree/base/compatible", "raspberrypi,4-model-b",
		 0},
		{__LINE__, "firmware/devicetree/base/hypervisor/compatible", "xen,xen",
		 1},
		{__LINE__, "class/dmi/id/sys_vendor", "QEMU\n", 1},
		{__LINE__, "class/dmi/id/sys_vendor", "VMware, Inc.\n", 1},
		{__LINE__, "class/dmi/id/sys_vendor", "Amazon EC2\n",
		 0}, /* EC2 has bare metal too */
		{__LINE__, "class/dmi/id/product_name", "Virtual Machine\n", 1},
		{__LINE__, "class/dmi/id/product_name", "PowerEdge R7615\n", 0},
		{__LINE__, "hypervisor/type", "xen\n", 1},
	};
	struct kernel_machine m;

	(void)state;
	put("proc/cpuinfo", "processor\t: 0\nFeatures\t: fp asimd\n");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char file[200], full[512];

		snprintf(file, sizeof(file), "sys/%s", cases[i].file);
		snprintf(full, sizeof(full), "%s/%s", root, file);
		put(file, cases[i].text);
		kernel_machine_read(root, &m);
		if (m.hypervisor != cases[i].is)
			fail_msg("line %d", cases[i].line);
		assert_int_equal(remove(full), 0);
	}
}

/* Levels up to 2 are the kernel's own, 3 and 4 those of distributions. */
static void knows_who_is_privileged(void **state)
{
	const uint64_t perfmon = UINT64_C(1) << 38, admin = UINT64_C(1) << 21;
	const struct {
		int paranoid;
		uint64_t caps;
		int may, lenient;
	} cases[] = {
		{2, 0, 0, 0},
		{2, perfmon, 1, 0},
		{2, admin, 1, 0},
		{-1, perfmon, 1, 0},
		{3, perfmon, 0, 0},
		{3, admin, 1, 0},
		{4, perfmon | admin, 1, 0},
		{4, ~(perfmon | admin), 0, 0},
		/* the kernel does not know the level */
		{3, 0, 0, 1},
		{3, perfmon, 1, 1},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct kernel_machine m = {.paranoid = cases[i].paranoid,
						 .lenient = cases[i].lenient,
						 .caps = cases[i].caps};
		if (kernel_machine_privileged(&m) != cases[i].may)
			fail_msg("case %zu", i);
	}
}

static void counts_descriptors(void **state)
{
	(void)state;
	struct kernel_machine before, after;
	struct rlimit lim;

	kernel_machine_read("", &before);
	const int fd = dup(STDERR_FILENO);
	assert_true(fd >= 0);
	kernel_machine_read("", &after);
	close(fd);
	assert_int_equal(after.fds_open, before.fds_open + 1);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &lim), 0);
	assert_int_equal(after.fds_limit, lim.rlim_cur);

	/*
	 * Descriptors above the limit, which a caller left open, take no place below it.
	 */
	const struct rlimit low = {.rlim_cur = 30, .rlim_max = lim.rlim_max};
	const int high = fcntl(STDERR_FILENO, F_DUPFD, 100);
	assert_true(high >= 100);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &low), 0);
	kernel_machine_read("", &before);
	close(high);
	kernel_machine_read("", &after);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &lim), 0);
	assert_int_equal(after.fds_limit, 30);
	assert_int_equal(after.fds_open, before.fds_open);
	assert_in_range(after.fds_open, 3, 30);
}

static const struct {
	int line;
	const char *online; /* the kernel's list */
	int cpu, is;
} cpus[] = {
	{__LINE__, NULL, 0, 1},	     {__LINE__, "0-3,8\n", 0, 1},
	{__LINE__, "0-3,8\n", 8, 1}, {__LINE__, "0-3,8\n", 4, 0},
	{__LINE__, "0-3,8\n", 9, 0}, {__LINE__, "garbage\n", 9, 1},
};

static void finds_offline_cpus(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cpus) / sizeof(cpus[0]); i++) {
		if (cpus[i].online)
			put("sys/devices/system/cpu/online", cpus[i].online);
		if (kernel_machine_is_online(root, cpus[i].cpu) != cpus[i].is)
			fail_msg("line %d", cpus[i].line);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_an_empty_root),
		cmocka_unit_test(finds_offline_cpus),
		cmocka_unit_test(reads_a_machine),
		cmocka_unit_test(ignores_other_lines),
		cmocka_unit_test(recognizes_virtual_machines),
		cmocka_unit_test(knows_who_is_privileged),
		cmocka_unit_test(counts_descriptors),
	};
	return cmocka_run_group_tests(tests, make_root, remove_root);
}
