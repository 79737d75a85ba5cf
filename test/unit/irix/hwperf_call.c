/*
 * Tests of signal handlers that interrupt calls of hwperf.h and libperfex.h. The linker
 * replaces calloc and pthread_mutex_unlock by the functions of this file (--wrap), which
 * send the signal.
 */
#include "irix/hwperf_call.h"

#include <errno.h>
#include <hwperf.h>
#include <libperfex.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/lock.h"

enum { INDEX = 3 };

void *__real_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size);
int __real_pthread_mutex_unlock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex);

static int handle;
static hwperf_profevctrarg_t arg;
static unsigned short bucket;
static const struct hwperf_prof range = {&bucket, sizeof bucket, 0, 2};
static volatile sig_atomic_t is_armed;
static volatile sig_atomic_t unlocks_until_signal;

/* The call of the handler, what it has returned, and its errno. */
static int (*volatile inner)(void);
static volatile sig_atomic_t result, error;

static int start(void)
{
	return hwperf_ioctl(handle, PIOCENEVCTRS, &arg);
}

static int set(void)
{
	return hwperf_ioctl(handle, PIOCSETEVCTRL, &arg);
}

static int read_values(void)
{
	hwperf_values_t values;

	return hwperf_ioctl(handle, PIOCGETEVVALS, &values);
}

static int release(void)
{
	return hwperf_ioctl(handle, PIOCRELEVCTRS);
}

static int save(void)
{
	return hwperf_ioctl(handle, PIOCSAVECCNTRS);
}

static int profile(void)
{
	return syssgi(SGI_EVENTCTR, HWPERF_PROFENABLE, &arg, &range, 1);
}

static int release_system(void)
{
	return syssgi(SGI_EVENTCTR, HWPERF_RELSYSCNTRS);
}

static int start_pair(void)
{
	return start_counters(0, 0);
}

static int read_pair(void)
{
	long long count[2];

	return read_counters(0, &count[0], 0, &count[1]);
}

static int print_pair(void)
{
	return print_counters(0, 1, 16, 1);
}

static int print_pair_costs(void)
{
	return print_costs(0, 1, 16, 1);
}

static int load(void)
{
	return load_costs("r12000_300");
}

static void on_signal(int sig)
{
	const int e = errno;

	(void)sig;
	errno = 0;
	result = inner();
	error = errno;
	errno = e;
}

void *__wrap_calloc(size_t n, size_t size)
{
	const int now = is_armed;

	is_armed = 0;
	if (now)
		raise(SIGUSR1);
	return __real_calloc(n, size);
}

int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex)
{
	if (unlocks_until_signal > 0 && --unlocks_until_signal == 0)
		raise(SIGUSR1);
	return __real_pthread_mutex_unlock(mutex);
}

static int (*const outer_calls[])(void) = {start, set, profile, start_pair};

static int (*const inner_calls[])(void) = {
	start,	   read_values, release,	  set,
	save,	   profile,	release_system,	  start_pair,
	read_pair, print_pair,	print_pair_costs, load};

static int count_faults(void **state)
{
	const hwperf_evname_t name = {INDEX, "page-faults"};

	(void)state;
	setenv("T5_EVENT0", "page-faults", 1);
	setenv("T5_EVENT1", "minor-faults", 1);
	handle = hwperf_open(getpid());
	arg.hwp_evctrargs.hwp_evctrl[INDEX].hwperf_spec = INDEX << 5 | HWPERF_CNTEN_U;
	arg.hwp_ovflw_freq[INDEX] = 1000000;
	signal(SIGUSR1, on_signal);
	return handle == -1 || hwperf_ioctl(handle, PIOCSETEVNAME, &name) == -1;
}

static int close_handle(void **state)
{
	(void)state;
	return close(handle);
}

/* The first allocation of the outer call is interrupted. */
static void interrupt(int (*outer)(void), int (*call)(void))
{
	inner = call;
	is_armed = 1;
	assert_int_not_equal(outer(), -1);
	is_armed = 0;
}

static void test_inner_call_is_refused(void **state)
{
	(void)state;
	assert_int_not_equal(start(), -1);
	for (size_t i = 0; i < sizeof outer_calls / sizeof *outer_calls; i++)
		for (size_t k = 0; k < sizeof inner_calls / sizeof *inner_calls; k++) {
			/* another event, so that start_counters() allocates memory */
			setenv("T5_EVENT0", k & 1 ? "page-faults" : "faults", 1);
			result = 0;
			interrupt(outer_calls[i], inner_calls[k]);
			assert_int_equal(result, -1);
			assert_int_equal(error, EDEADLK);
			assert_int_not_equal(read_values(), -1);
		}
}

static int fork_child(void)
{
	const pid_t pid = fork();

	if (pid == 0)
		_exit(read_values() == -1 && errno == EDEADLK ? 0 : 1);
	return pid;
}

static void test_child_of_handler(void **state)
{
	int status = -1;

	(void)state;
	assert_int_not_equal(start(), -1);
	interrupt(set, fork_child);
	assert_true(result > 0);
	assert_int_equal(waitpid(result, &status, 0), result);
	assert_int_equal(status, 0);
	assert_int_not_equal(read_values(), -1);
}

/* A call in a handler does not wait for the lock that its own LWP is releasing. */
static void test_interrupted_unlock(void **state)
{
	(void)state;
	assert_int_not_equal(start(), -1);
	inner = read_values;
	alarm(60);
	unlocks_until_signal = 1;
	lock_hold();
	lock_release();
	assert_int_not_equal(result, -1);
	unlocks_until_signal = 1;
	const pid_t pid = fork();
	if (pid == 0)
		_exit(0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(unlocks_until_signal, 0);
	assert_int_equal(result, -1);
	assert_int_equal(error, EDEADLK);
	alarm(0);
}

static void test_begin_and_end(void **state)
{
	(void)state;
	assert_int_equal(hwperf_call_begin(), 0);
	assert_int_equal(hwperf_call_begin(), -1);
	assert_int_equal(errno, EDEADLK);
	hwperf_call_end();
	assert_int_equal(hwperf_call_begin(), 0);
	hwperf_call_end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_begin_and_end),
		cmocka_unit_test(test_inner_call_is_refused),
		cmocka_unit_test(test_child_of_handler),
		cmocka_unit_test(test_interrupted_unlock),
	};

	return cmocka_run_group_tests(tests, count_faults, close_handle);
}
