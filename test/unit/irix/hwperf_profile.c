/* Buckets of program counters: page faults of one store fall into one bucket. */
#include "irix/hwperf_profile.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

enum { PAGE = 4096, PAGES = 300, INDEX = 3, CODE = 4096 };

/*
 * Aligned, so that the function lies in one bucket of 4096 bytes of code. The sanitizer's
 * checks of the pages would have page faults of their own.
 */
__attribute__((noinline, aligned(CODE), no_sanitize("address"))) static void fault(
	volatile char *p)
{
	for (int i = 0; i < PAGES; i++)
		p[(size_t)i * PAGE] = 1;
}

static int start(int handle, const struct hwperf_prof *prof, int n, int threshold)
{
	const hwperf_evname_t name = {INDEX, "page-faults"};

	hwperf_profevctrarg_t arg = {0};

	assert_int_equal(hwperf_ioctl(handle, PIOCSETEVNAME, &name), 0);
	arg.hwp_evctrargs.hwp_evctrl[INDEX].hwperf_spec = INDEX << 5 | HWPERF_CNTEN_U;
	arg.hwp_ovflw_freq[INDEX] = threshold;
	return hwperf_profile_start(&arg, prof, n);
}

static volatile char *pages(void)
{
	char *p = mmap(NULL, (size_t)PAGES * PAGE, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_ptr_not_equal(p, MAP_FAILED);
	assert_int_equal(madvise(p, (size_t)PAGES * PAGE, MADV_NOHUGEPAGE), 0);
	return p;
}

/* A bucket of 4096 bytes has 2048 units of 2 bytes: scale 65536 / 2048. */
static void counts_each_threshold_in_its_bucket(void **unused)
{
	unsigned short bucket[3] = {0}, rest = 0;
	const struct hwperf_prof prof[] = {
		{bucket, sizeof bucket, (uintptr_t)fault - CODE, 65536 / (CODE / 2)},
		{&rest, sizeof rest, 0, 2},
	};
	const int handle = hwperf_open(getpid());
	volatile char *p = pages();

	(void)unused;
	assert_true(start(handle, prof, 2, 10) > 0);
	fault(p);
	assert_int_equal(hwperf_ioctl(handle, PIOCRELEVCTRS), 0);
	assert_in_range(bucket[1], PAGES / 10 - 1, PAGES / 10 + 1);
	assert_in_range(bucket[0] + bucket[2], 0, 1);
	assert_in_range(bucket[0] + bucket[1] + bucket[2] + rest, PAGES / 10,
			PAGES / 10 + 1);
	munmap((void *)p, (size_t)PAGES * PAGE);
	close(handle);
}

static void a_start_that_fails_leaves_the_former_ranges(void **unused)
{
	unsigned short bucket = 0, other = 0;
	const struct hwperf_prof prof = {&bucket, sizeof bucket, 0, 2};
	const struct hwperf_prof others = {&other, sizeof other, 0, 2};
	const hwperf_evname_t name = {INDEX + 1, "no-such-event"};
	const int handle = hwperf_open(getpid());
	hwperf_profevctrarg_t arg = {0};
	volatile char *p = pages();

	(void)unused;
	assert_true(start(handle, &prof, 1, 10) > 0);
	assert_int_equal(hwperf_ioctl(handle, PIOCSETEVNAME, &name), 0);
	arg.hwp_evctrargs.hwp_evctrl[INDEX + 1].hwperf_spec =
		(INDEX + 1) << 5 | HWPERF_CNTEN_U;
	arg.hwp_ovflw_freq[INDEX + 1] = 10;
	assert_int_equal(hwperf_profile_start(&arg, &others, 1), -1);
	assert_int_equal(errno, EINVAL);
	/* page faults of the call itself */
	const unsigned short before = bucket, before_other = other;
	fault(p);
	assert_int_equal(hwperf_ioctl(handle, PIOCRELEVCTRS), 0);
	assert_true(bucket >= before + PAGES / 10);
	assert_int_equal(other, before_other);
	munmap((void *)p, (size_t)PAGES * PAGE);
	close(handle);
}

static void a_full_bucket_stays_full(void **unused)
{
	unsigned short bucket[1] = {65530};
	const struct hwperf_prof prof = {bucket, sizeof bucket, 0, 2};
	const int handle = hwperf_open(getpid());
	volatile char *p = pages();

	(void)unused;
	assert_true(start(handle, &prof, 1, 1) > 0);
	fault(p);
	assert_int_equal(hwperf_ioctl(handle, PIOCRELEVCTRS), 0);
	assert_int_equal(bucket[0], 65535);
	munmap((void *)p, (size_t)PAGES * PAGE);
	close(handle);
}

/* An LWP with a bucket of its own for all its page faults, at every tenth. */
struct profiled {
	pthread_barrier_t *started;
	unsigned short bucket;
	int ok;
};

static void *profile_self(void *arg)
{
	struct profiled *own = arg;
	const struct hwperf_prof prof = {&own->bucket, sizeof own->bucket, 0, 2};
	const int handle = hwperf_open(gettid());
	volatile char *p = pages();

	own->ok = start(handle, &prof, 1, 10) > 0;
	pthread_barrier_wait(own->started);
	fault(p);
	own->ok &= hwperf_ioctl(handle, PIOCRELEVCTRS) == 0;
	munmap((void *)p, (size_t)PAGES * PAGE);
	close(handle);
	return NULL;
}

static void each_lwp_has_its_own_ranges(void **unused)
{
	pthread_barrier_t started;
	struct profiled lwp[2] = {{.started = &started}, {.started = &started}};
	pthread_t thread[2];

	(void)unused;
	assert_int_equal(pthread_barrier_init(&started, NULL, 2), 0);
	for (int i = 0; i < 2; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, profile_self, &lwp[i]),
				 0);
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	pthread_barrier_destroy(&started);
	for (int i = 0; i < 2; i++) {
		assert_true(lwp[i].ok);
		assert_in_range(lwp[i].bucket, PAGES / 10, PAGES / 10 + 3);
	}
}

static void bad_input_is_refused(void **unused)
{
	unsigned short bucket[4];
	const struct hwperf_prof good = {bucket, sizeof bucket, 0, 65536};
	const struct hwperf_prof none = {NULL, sizeof bucket, 0, 65536};
	const struct hwperf_prof small = {bucket, 1, 0, 65536};
	const struct {
		int line;
		const struct hwperf_prof *prof;
		int n, threshold;
	} cases[] = {
		{__LINE__, &good, 0, 10},    {__LINE__, &good, -1, 10},
		{__LINE__, &good, 1, 0},     {__LINE__, &good, 1, -1},
		{__LINE__, &none, 1, 10},    {__LINE__, &small, 1, 10},
		{__LINE__, &good, 1025, 10},
	};
	const int handle = hwperf_open(getpid());

	(void)unused;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		errno = 0;
		if (start(handle, cases[i].prof, cases[i].n, cases[i].threshold) != -1 ||
		    errno != EINVAL)
			fail_msg("line %d: errno %d", cases[i].line, errno);
	}
	close(handle);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_each_threshold_in_its_bucket),
		cmocka_unit_test(a_start_that_fails_leaves_the_former_ranges),
		cmocka_unit_test(a_full_bucket_stays_full),
		cmocka_unit_test(each_lwp_has_its_own_ranges),
		cmocka_unit_test(bad_input_is_refused),
	};

	return cmocka_run_group_tests_name("irix/hwperf_profile", tests, NULL, NULL);
}
