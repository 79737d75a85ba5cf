#include "irix/hwperf_profile.h"

#include <errno.h>
#include <pthread.h>
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

/*
 * The ranges of the calling LWP. The handler runs in the LWP whose event has overflowed,
 * and reads them there. The initial-exec model never allocates memory in a handler.
 */
static _Thread_local struct ranges *own __attribute__((tls_model("initial-exec")));

/* A thread-specific key whose destructor frees the ranges of an LWP that ends. */
static struct {
	pthread_once_t once;
	pthread_key_t key;
	int err;
} at_end = {.once = PTHREAD_ONCE_INIT};

/* Several LWPs may add to the same bucket. */
static void add_one(const struct hwperf_prof *r, size_t bucket)
{
	unsigned short *const at = (unsigned short *)r->pr_base + bucket;
	unsigned short n = __atomic_load_n(at, __ATOMIC_RELAXED);

	while (n < UINT16_MAX &&
	       !__atomic_compare_exchange_n(at, &n, (unsigned short)(n + 1), 1,
					    __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
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
	const struct ranges *ranges = __atomic_load_n(&own, __ATOMIC_ACQUIRE);

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

static void lwp_ends(void *ranges)
{
	__atomic_store_n(&own, NULL, __ATOMIC_RELEASE);
	free(ranges);
}

static void prepare_end(void)
{
	at_end.err = pthread_key_create(&at_end.key, lwp_ends);
}

/* Let the handler use other ranges in this LWP. Returns 0, or -1 with errno. */
static int use_ranges(struct ranges *ranges)
{
	pthread_once(&at_end.once, prepare_end);
	const int err = at_end.err ? at_end.err : pthread_setspecific(at_end.key, ranges);

	if (err) {
		errno = err;
		return -1;
	}
	__atomic_store_n(&own, ranges, __ATOMIC_RELEASE);
	return 0;
}

static int start(const hwperf_profevctrarg_t *arg)
{
	const int handle = hwperf_open(gettid());
	const int rc = handle == -1 || catch_overflows() == -1
			       ? -1
			       : hwperf_process_start_for(handle, arg, SIGPROFILE);
	const int e = errno;

	if (handle != -1)
		close(handle);
	errno = e;
	return rc;
}

int hwperf_profile_start(const hwperf_profevctrarg_t *arg, const struct hwperf_prof *prof,
			 int n)
{
	if (n < 1 || n > MOST_RANGES || !hwperf_arg_has_threshold(arg)) {
		errno = EINVAL;
		return -1;
	}
	struct ranges *const before = own, *ranges = copy_ranges(prof, n);
	if (!ranges)
		return -1;
	if (use_ranges(ranges) == -1) {
		free(ranges);
		return -1;
	}
	const int rc = start(arg);
	const int e = errno;
	if (rc == -1)
		use_ranges(before);
	free(rc == -1 ? ranges : before);
	errno = e;
	return rc;
}
