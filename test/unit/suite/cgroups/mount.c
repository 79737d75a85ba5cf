#include "suite/cgroups/mount.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#define PROC "22 1 0:21 / /proc rw,nosuid - proc proc rw\n"
#define V2   "30 24 0:26 / /sys/fs/cgroup/unified rw shared:9 - cgroup2 cgroup2 rw\n"
#define V1   "33 24 0:30 / /sys/fs/cgroup/perf\\040event rw - cgroup none rw,perf_event\n"
#define CPU  "31 24 0:28 / /sys/fs/cgroup/cpu rw shared:2 - cgroup none rw,cpu,cpuacct\n"

static const struct {
	int line;
	const char *text, *want; /* want NULL: ENOENT */
} cases[] = {
	{__LINE__, "", NULL},
	{__LINE__, PROC, NULL},
	{__LINE__, PROC CPU, NULL},
	{__LINE__, PROC V2 CPU, "/sys/fs/cgroup/unified"},
	/* a hierarchy of version 1 that has the controller takes it from version 2 */
	{__LINE__, V2 CPU V1, "/sys/fs/cgroup/perf event"},
	{__LINE__, V1 V2, "/sys/fs/cgroup/perf event"},
	/* the first of two mounts of the same kind */
	{__LINE__, V2 "1 2 0:1 / /b rw - cgroup2 none rw\n", "/sys/fs/cgroup/unified"},
	{__LINE__, "1 2 0:1 / /last rw - cgroup2 none rw", "/last"},
	{__LINE__, "1 2 0:1 / /b\\134 rw - cgroup2 none rw\n", "/b\\"},
	{__LINE__, "1 2 0:1 / /b\\9 rw - cgroup2 none rw\n", "/b\\9"},
	/* names that only look like the controller, and lines that are cut */
	{__LINE__, "1 2 0:1 / /b rw - cgroup none rw,name=perf_event\n", NULL},
	{__LINE__, "1 2 0:1 / /b rw - cgroup none rw,perf_events\n", NULL},
	{__LINE__, "1 2 0:1 / /b rw - cgroup none\n", NULL},
	{__LINE__, "1 2 0:1 / /cgroup2 rw - ext4 /dev/cgroup2 rw\n", NULL},
	{__LINE__, "1 2 0:1 / /b rw\n", NULL},
	{__LINE__, " - cgroup2\n", NULL},
	{__LINE__, "\n\n", NULL},
};

static void finds_the_hierarchy(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		errno = 0;
		char *got = cgroups_mount(cases[i].text);
		if (!cases[i].want != !got || (!got && errno != ENOENT))
			fail_msg("line %d: %s", cases[i].line, got ? got : "none");
		if (got)
			assert_string_equal(got, cases[i].want);
		free(got);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_the_hierarchy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
