/* The figures of a process from files of /proc that are made up. */
#include "irix/hwperf_prusage.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "fake_root.h"

/* What the clocks show to the library. */
static struct timespec realtime, boottime;

int __wrap_clock_gettime(clockid_t clock, struct timespec *t);

int __wrap_clock_gettime(clockid_t clock, struct timespec *t)
{
	*t = clock == CLOCK_BOOTTIME ? boottime : realtime;
	return 0;
}

/* A process that was started 150 ticks, which are 1.5 s, after the boot. */
static const struct fake_file files[] = {
	{"stat", "7 (a b) c) S 1 2 3 4 5 6 10 11 12 13 250 301 16 17 18 19 20 21 150 "
		 "8192000 24 25\n"},
	{"status", "Name:\ta\nTgid:\t7\nvoluntary_ctxt_switches:\t3\n"
		   "nonvoluntary_ctxt_switches:\t4\n"},
};

static char root[sizeof "/tmp/opencpc-prusage.XXXXXX"];
static int handle;

static int make(void **arg)
{
	(void)arg;
	strcpy(root, "/tmp/opencpc-prusage.XXXXXX");
	fake_root_make(root, files, sizeof files / sizeof files[0]);
	handle = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return handle == -1;
}

static int drop(void **arg)
{
	(void)arg;
	close(handle);
	return fake_root_remove(root);
}

static void a_start_is_the_time_of_the_boot_and_ticks(void **arg)
{
	static const struct {
		int line;
		struct timespec realtime, boottime, start;
	} cases[] = {
		{__LINE__, {1000, 0}, {10, 0}, {991, 500000000}},
		{__LINE__, {1000, 0}, {10, 500000000}, {991, 0}},
		{__LINE__, {1000, 0}, {10, 500000001}, {990, 999999999}},
		{__LINE__, {1000, 0}, {10, 999999999}, {990, 500000001}},
		{__LINE__, {1000, 499999999}, {10, 0}, {991, 999999999}},
		{__LINE__, {1000, 500000000}, {10, 0}, {992, 0}},
		{__LINE__, {1000, 999999999}, {10, 0}, {992, 499999999}},
	};

	(void)arg;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		hwperf_prusage_t u;

		realtime = cases[i].realtime;
		boottime = cases[i].boottime;
		assert_int_equal(hwperf_prusage(handle, &u), 0);
		if (u.pu_starttime.tv_sec != cases[i].start.tv_sec ||
		    u.pu_starttime.tv_nsec != cases[i].start.tv_nsec)
			fail_msg("line %d: %jd.%09ld", cases[i].line,
				 (intmax_t)u.pu_starttime.tv_sec, u.pu_starttime.tv_nsec);
		assert_int_equal(u.pu_tstamp.tv_sec, 1000);
	}
}

static void figures_are_those_of_the_files(void **arg)
{
	hwperf_prusage_t u;

	(void)arg;
	assert_int_equal(hwperf_prusage(handle, &u), 0);
	assert_int_equal(u.pu_minf, 10);
	assert_int_equal(u.pu_majf, 12);
	assert_int_equal(u.pu_vfault, 22);
	assert_int_equal(u.pu_utime.tv_sec, 2);
	assert_int_equal(u.pu_utime.tv_nsec, 500000000);
	assert_int_equal(u.pu_stime.tv_sec, 3);
	assert_int_equal(u.pu_stime.tv_nsec, 10000000);
	assert_int_equal(u.pu_size, 8192000 / sysconf(_SC_PAGESIZE));
	assert_int_equal(u.pu_rss, 24);
	assert_int_equal(u.pu_vctx, 3);
	assert_int_equal(u.pu_ictx, 4);
	/* there is no file io */
	assert_int_equal(u.pu_syscr, 0);
}

static void without_files_there_are_no_figures(void **arg)
{
	hwperf_prusage_t u;

	(void)arg;
	for (size_t i = sizeof files / sizeof files[0]; i-- > 0;) {
		assert_int_equal(unlinkat(handle, files[i].path, 0), 0);
		assert_int_equal(hwperf_prusage(handle, &u), -1);
	}
	assert_int_equal(errno, ESRCH);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, make, drop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_start_is_the_time_of_the_boot_and_ticks),
		TEST(figures_are_those_of_the_files),
		TEST(without_files_there_are_no_figures),
	};

	return cmocka_run_group_tests_name("irix/hwperf_prusage", tests, NULL, NULL);
}
