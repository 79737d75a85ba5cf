/*
 * System mode when calls of the engine or of the C library fail, and commands without
 * their arguments. The tests count as root does: geteuid(2) returns 0 to the library.
 */
#include "irix/hwperf_system.h"

#include <errno.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "irix/fake_counters.h"

uid_t __wrap_geteuid(void);

uid_t __wrap_geteuid(void)
{
	return 0;
}

static int no_descriptors; /* F_DUPFD_CLOEXEC fails */
static int no_files;	   /* file_read() fails */

int __real_fcntl(int fd, int request, ...);
int __wrap_fcntl(int fd, int request, ...);

int __wrap_fcntl(int fd, int request, ...)
{
	va_list ap;

	if (no_descriptors && request == F_DUPFD_CLOEXEC) {
		errno = EMFILE;
		return -1;
	}
	va_start(ap, request);
	void *const arg = va_arg(ap, void *);
	va_end(ap);
	return __real_fcntl(fd, request, arg);
}

ssize_t __real_file_read(char *buf, size_t size, const char *fmt, ...);
ssize_t __wrap_file_read(char *buf, size_t size, const char *fmt, ...);

ssize_t __wrap_file_read(char *buf, size_t size, const char *fmt, ...)
{
	char path[256];
	va_list ap;

	if (no_files) {
		errno = ENOENT;
		return -1;
	}
	va_start(ap, fmt);
	vsnprintf(path, sizeof path, fmt, ap);
	va_end(ap);
	return __real_file_read(buf, size, "%s", path);
}

static int command(int cmd, void *arg)
{
	errno = 0;
	return syssgi(SGI_EVENTCTR, cmd, arg);
}

static hwperf_profevctrarg_t *args(void)
{
	return faked_args(HWPERF_CNTEN_U | HWPERF_CNTEN_K);
}

static int start_system(void)
{
	return command(HWPERF_ENSYSCNTRS, args());
}

static hwperf_value_t value(void)
{
	hwperf_values_t values;

	assert_int_not_equal(command(HWPERF_GET_SYSVALS, &values), -1);
	return values.hwp_value[INDEX];
}

/* Returns a CPU that this process may run on. */
static int a_cpu(void)
{
	cpu_set_t cpus;
	int cpu = 0;

	assert_int_equal(sched_getaffinity(0, sizeof cpus, &cpus), 0);
	while (cpu < CPU_SETSIZE - 1 && !CPU_ISSET(cpu, &cpus))
		cpu++;
	return cpu;
}

static int cpu_values(hwperf_values_t *values)
{
	errno = 0;
	return syssgi(SGI_EVENTCTR, HWPERF_GET_CPUVALS, a_cpu(), values);
}

static int reset(void **arg)
{
	hwperf_evname_t name = {INDEX, "own_alpha"};

	(void)arg;
	faked_reset();
	return command(HWPERF_SET_SYSEVNAME, &name);
}

static int release(void **arg)
{
	(void)arg;
	no_descriptors = no_files = 0;
	faked_reset();
	command(HWPERF_RELSYSCNTRS, NULL);
	return fake.groups || fake.evsels;
}

static void commands_without_arguments_are_refused(void **arg)
{
	hwperf_cntr_t counters;

	(void)arg;
	for (int cmd = HWPERF_PROFENABLE; cmd < HWPERF_RELSYSCNTRS; cmd++) {
		assert_int_equal(command(cmd, NULL), -1);
		assert_int_equal(errno, EINVAL);
	}
	assert_int_equal(cpu_values(NULL), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(command(0, &counters), -1);
	assert_int_equal(errno, EINVAL);
	errno = 0;
	assert_int_equal(syssgi(0, HWPERF_GET_SYSCNTRS, &counters), -1);
	assert_int_equal(errno, EINVAL);
}

static void system_mode_is_used_once(void **arg)
{
	(void)arg;
	const int generation = start_system(), groups = fake.groups;

	assert_true(generation > 0);
	assert_int_equal(start_system(), -1);
	assert_int_equal(errno, EBUSY);
	assert_int_equal(fake.groups, groups);
	assert_int_equal(value().hwv_value, 10 * groups);
	assert_int_equal(value().hwv_class, CPC_EXACT);
	assert_int_equal(command(HWPERF_SET_SYSEVCTRL, args()), generation + 1);
}

static void an_event_that_was_never_enabled_is_unavailable(void **arg)
{
	hwperf_values_t values;

	(void)arg;
	fake.val[0] = (struct count){0};
	assert_true(start_system() > 0);
	assert_int_equal(value().hwv_class, CPC_UNAVAILABLE);
	assert_true(cpu_values(&values) > 0);
	assert_int_equal(values.hwp_value[INDEX].hwv_class, CPC_UNAVAILABLE);
	/* an event that is not counted has an exact count of 0 */
	assert_int_equal(values.hwp_value[INDEX + 1].hwv_class, CPC_EXACT);
}

static void a_failing_modification_leaves_the_former_events(void **arg)
{
	(void)arg;
	const int generation = start_system(), groups = fake.groups;
	hwperf_eventctrl_t ctrl;

	faked.bind = (struct faked_calls){.which = 1, .error = EMFILE};
	assert_int_equal(command(HWPERF_SET_SYSEVCTRL, args()), -1);
	assert_int_equal(errno, EMFILE);
	assert_int_equal(fake.groups, groups);
	assert_int_equal(command(HWPERF_GET_SYSEVCTRL, &ctrl), generation);
	/* the counts before the modification and after it */
	assert_int_equal(value().hwv_value, 20 * groups);
}

static void a_read_that_fails_is_reported(void **arg)
{
	hwperf_values_t values;

	(void)arg;
	const int generation = start_system(), groups = fake.groups;

	faked.read = (struct faked_calls){.which = UINT64_MAX, .error = EIO};
	assert_int_equal(command(HWPERF_GET_SYSVALS, &values), -1);
	assert_int_equal(errno, EIO);
	assert_int_equal(cpu_values(&values), -1);
	assert_int_equal(errno, EIO);
	assert_int_equal(command(HWPERF_SET_SYSEVCTRL, args()), -1);
	assert_int_equal(errno, EIO);
	faked.read.which = 0;
	assert_int_equal(command(HWPERF_GET_SYSVALS, &values), generation);
	assert_int_equal(values.hwp_value[INDEX].hwv_value, 10 * groups);
}

/* Where /sys is not mounted, the CPUs are those that this process may run on. */
static void without_a_list_the_cpus_of_this_process_are_counted(void **arg)
{
	hwperf_values_t values;
	cpu_set_t cpus;

	(void)arg;
	assert_int_equal(sched_getaffinity(0, sizeof cpus, &cpus), 0);
	no_files = 1;
	const int generation = start_system();
	assert_true(generation > 0);
	assert_int_equal(fake.groups, CPU_COUNT(&cpus));
	assert_int_equal(cpu_values(&values), generation);
	assert_int_equal(values.hwp_value[INDEX].hwv_value, 10);
}

static int start_by(int handle)
{
	errno = 0;
	return hwperf_ioctl(handle, PIOCENEVCTRS, args());
}

static void a_handle_that_cannot_be_kept_starts_nothing(void **arg)
{
	(void)arg;
	assert_int_equal(start_by(-1), -1);
	assert_int_equal(errno, EBADF);
	const int handle = hwperf_open(getpid());
	no_descriptors = 1;
	/* the release reads the counters, and fails with another errno */
	faked.read = (struct faked_calls){.which = UINT64_MAX, .error = EIO};
	assert_int_equal(start_by(handle), -1);
	assert_int_equal(errno, EMFILE);
	assert_int_equal(fake.groups, 0);
	faked.read.which = 0;
	no_descriptors = 0;
	assert_true(start_by(handle) > 0);
	assert_int_equal(hwperf_ioctl(handle, PIOCRELEVCTRS), 0);
	close(handle);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, reset, release)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(commands_without_arguments_are_refused),
		TEST(system_mode_is_used_once),
		TEST(an_event_that_was_never_enabled_is_unavailable),
		TEST(a_failing_modification_leaves_the_former_events),
		TEST(a_read_that_fails_is_reported),
		TEST(without_a_list_the_cpus_of_this_process_are_counted),
		TEST(a_handle_that_cannot_be_kept_starts_nothing),
	};

	return cmocka_run_group_tests_name("irix/hwperf_system", tests, NULL, NULL);
}
