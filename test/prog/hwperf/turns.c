/*
 * hwperf_turns: counts 32 events on a machine that is made to look as if it had two
 * counters. ioctl(2) and read(2) are wrapped: only one of the groups that the library
 * enables counts at a time, next_turn() gives another group its turn, and the time for
 * which a group was enabled is the sum of the times of all groups, as the kernel reports
 * it for groups that take turns on a PMU.
 *
 * Prints for each event how far its raw count is from the page faults in its turns, its
 * class, and 1 if its value and its times are right.
 */
#include <err.h>
#include <hwperf.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "acts.h"

enum { PAIRS = HWPERF_CNTEVENTMAX, ROUNDS = 3 };

int __real_ioctl(int fd, unsigned long request, ...);
int __wrap_ioctl(int fd, unsigned long request, ...);
ssize_t __real_read(int fd, void *buf, size_t size);
ssize_t __wrap_read(int fd, void *buf, size_t size);

/* The leaders of the groups, in the order in which the library has enabled them. */
static int leader[PAIRS];
static unsigned ngroups, turn;

/* A group that is enabled waits for its turn; the first group has its turn at once. */
int __wrap_ioctl(int fd, unsigned long request, ...)
{
	va_list ap;

	va_start(ap, request);
	void *const arg = va_arg(ap, void *);
	va_end(ap);
	if (request != PERF_EVENT_IOC_ENABLE || ngroups == PAIRS)
		return __real_ioctl(fd, request, arg);
	leader[ngroups++] = fd;
	return ngroups == 1 ? __real_ioctl(fd, request, arg) : 0;
}

static void next_turn(void)
{
	if (__real_ioctl(leader[turn], PERF_EVENT_IOC_DISABLE, 0) == -1)
		err(1, "cannot end a turn");
	turn = (turn + 1) % ngroups;
	if (__real_ioctl(leader[turn], PERF_EVENT_IOC_ENABLE, 0) == -1)
		err(1, "cannot begin a turn");
}

/* Returns the ns for which a group was on the counters (PERF_FORMAT_GROUP). */
static uint64_t running(int fd)
{
	uint64_t v[16];

	if (__real_read(fd, v, sizeof v) < (ssize_t)(3 * sizeof *v))
		err(1, "cannot read a group");
	return v[2];
}

ssize_t __wrap_read(int fd, void *buf, size_t size)
{
	const ssize_t n = __real_read(fd, buf, size);
	uint64_t enabled = 0;
	unsigned at = 0;

	while (at < ngroups && leader[at] != fd)
		at++;
	if (at == ngroups || n < (ssize_t)(2 * sizeof enabled))
		return n;
	for (unsigned i = 0; i < ngroups; i++)
		enabled += running(leader[i]);
	memcpy((char *)buf + sizeof enabled, &enabled, sizeof enabled);
	return n;
}

static void count_page_faults(int fd)
{
	for (int i = 0; i < HWPERF_EVENTMAX; i++) {
		const hwperf_evname_t name = {i, "page-faults"};

		set_event(i, HWPERF_CNTEN_U);
		if (hwperf_ioctl(fd, PIOCSETEVNAME, &name) == -1)
			err(1, "PIOCSETEVNAME");
	}
	start(fd);
}

/* Each pair has more page faults in its turns than the pair before. */
static void take_turns(long *faults)
{
	for (int i = 0; i < ROUNDS * PAIRS; i++) {
		const long before = all_faults();

		fault(10 + i % PAIRS);
		faults[i % PAIRS] += all_faults() - before;
		next_turn();
	}
}

/* The value is the raw count, scaled by the times. */
static int is_scaled(const hwperf_value_t *v, uint64_t counter)
{
	return v->hwv_running > 0 && v->hwv_enabled > v->hwv_running &&
	       v->hwv_value == (uint64_t)((unsigned __int128)v->hwv_count *
					  v->hwv_enabled / v->hwv_running) &&
	       v->hwv_value > v->hwv_count && v->hwv_value == counter;
}

int main(void)
{
	const int fd = hwperf_open(getpid());
	static long faults[PAIRS];
	static hwperf_values_t values;
	static hwperf_cntr_t counters;

	/* What is used below for the first time has faults of its own. */
	fault(10 + PAIRS);
	all_faults();
	memset(faults, 0, sizeof faults);
	memset(&values, 0, sizeof values);
	memset(&counters, 0, sizeof counters);
	count_page_faults(fd);
	take_turns(faults);
	if (__real_ioctl(leader[turn], PERF_EVENT_IOC_DISABLE, 0) == -1)
		err(1, "cannot end the turns");
	if (hwperf_ioctl(fd, PIOCGETEVVALS, &values) == -1 ||
	    hwperf_ioctl(fd, PIOCGETEVCTRS, &counters) == -1)
		err(1, "cannot read the counters");
	for (int i = 0; i < HWPERF_EVENTMAX; i++) {
		const hwperf_value_t *v = &values.hwp_value[i];

		printf("%" PRId64 " %d %d\n", (int64_t)v->hwv_count - faults[i % PAIRS],
		       v->hwv_class, is_scaled(v, counters.hwp_evctr[i]));
	}
	return 0;
}
