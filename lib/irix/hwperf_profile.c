#include "irix/hwperf_profile.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cpc/sigemt.h"
#include "irix/hwperf_process.h"
#include "irix/hwperf_setup.h"

/* SIGPROFILE is the signal of an overflow, which the program does not get. */
enum { SIGPROFILE = 57, MOST_RANGES = 1024, OVERFLOW_SCALE = 2 };

struct ranges {
	int n;
	struct hwperf_prof range[];
};

/* Read by the handler. It is never freed, since a handler may still use it. */
static struct ranges *active;

static void add_one(const struct hwperf_prof *r, size_t bucket)
{
	unsigned short *const buckets = r->pr_base;

	if (buckets[bucket] < UINT16_MAX)
		buckets[bucket]++;
}

/* Returns 1 if the range has a bucket for pc, which is counted there (sprofil(3)). */
static int count_in(const struct hwperf_prof *r, uintptr_t pc)
{
	if (pc < r->pr_off || r->pr_scale == OVERFLOW_SCALE)
		return 0;
	const unsigned __int128 bucket =
		(unsigned __int128)((pc - r->pr_off) / 2) * r->pr_scale / 65536;
	if (bucket >= r->pr_size / sizeof(unsigned short))
		return 0;
	add_one(r, (size_t)bucket);
	return 1;
}

/* A program counter that no range has is counted by the range of scale 2, if any. */
static void count_pc(const struct ranges *ranges, uintptr_t pc)
{
	for (int i = 0; i < ranges->n; i++)
		if (count_in(&ranges->range[i], pc))
			return;
	for (int i = 0; i < ranges->n; i++)
		if (ranges->range[i].pr_scale == OVERFLOW_SCALE) {
			add_one(&ranges->range[i], 0);
			return;
		}
}

static void on_overflow(int signo, siginfo_t *info, void *context)
{
	const struct ranges *ranges = __atomic_load_n(&active, __ATOMIC_ACQUIRE);

	(void)signo;
	if (ranges && sigemt_fd(info) >= 0)
		count_pc(ranges, (uintptr_t)sigemt_pc(context));
}

static struct ranges *copy_ranges(const struct hwperf_prof *prof, int n)
{
	struct ranges *ranges = malloc(sizeof *ranges + (size_t)n * sizeof *prof);

	if (!ranges)
		return NULL;
	ranges->n = n;
	memcpy(ranges->range, prof, (size_t)n * sizeof *prof);
	for (int i = 0; i < n; i++)
		if (!prof[i].pr_base || prof[i].pr_size < sizeof(unsigned short)) {
			free(ranges);
			errno = EINVAL;
			return NULL;
		}
	return ranges;
}

static int catch_overflows(void)
{
	struct sigaction act = {.sa_sigaction = on_overflow,
				.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};

	sigemptyset(&act.sa_mask);
	return sigaction(SIGPROFILE, &act, NULL);
}

int hwperf_profile_start(const hwperf_profevctrarg_t *arg, const struct hwperf_prof *prof,
			 int n)
{
	if (n < 1 || n > MOST_RANGES || !hwperf_arg_has_threshold(arg)) {
		errno = EINVAL;
		return -1;
	}
	struct ranges *ranges = copy_ranges(prof, n);
	const int handle = ranges ? hwperf_open(gettid()) : -1;
	struct ranges *const before = active;
	int rc = -1;

	if (handle != -1 && catch_overflows() == 0) {
		__atomic_store_n(&active, ranges, __ATOMIC_RELEASE);
		rc = hwperf_process_start_for(handle, arg, SIGPROFILE);
	}
	const int e = errno;
	if (handle != -1)
		close(handle);
	if (rc == -1) {
		__atomic_store_n(&active, before, __ATOMIC_RELEASE);
		free(ranges);
	}
	errno = e;
	return rc;
}
