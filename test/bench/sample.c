/*
 * sample [EVENT [MAX]]: the costs of a sample of the caller's own counters.
 *
 * Compares cpc_set_sample() and a cpc_buf_get() for each of 1, 4 and 8 (at most MAX)
 * requests with one read(2) of a group of the same events. The two are measured in turn,
 * so that other load of the machine affects both alike. Prints for each number of
 * requests: the medians in ns, the median of the ratios of turns, the goal.
 */
#include <err.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <libcpc.h>

enum { ROUNDS = 101, SAMPLES = 1000, MAX_REQUESTS = 8 };

static const double goal = 1.1;

static const struct event {
	const char *name;
	uint32_t type;
	uint64_t config;
} events[] = {
	{"page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
	{"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
};

static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e9 + t.tv_nsec;
}

static int by_size(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Returns the ns of one read(2) of a group of n events, without the library. */
static double bare(const struct event *ev, unsigned n)
{
	struct perf_event_attr attr = {
		.type = ev->type,
		.size = sizeof attr,
		.config = ev->config,
		.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED |
			       PERF_FORMAT_TOTAL_TIME_RUNNING,
		.disabled = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	uint64_t v[3 + MAX_REQUESTS];
	int fd[MAX_REQUESTS];

	for (unsigned i = 0; i < n; i++) {
		fd[i] = (int)syscall(SYS_perf_event_open, &attr, 0, -1, i ? fd[0] : -1,
				     0);
		if (fd[i] == -1)
			err(1, "perf_event_open");
		attr.disabled = 0;
	}
	ioctl(fd[0], PERF_EVENT_IOC_ENABLE, 0);
	const double from = now_ns();
	for (int i = 0; i < SAMPLES; i++)
		if (read(fd[0], v, sizeof v) <= 0)
			err(1, "read");
	const double ns = (now_ns() - from) / SAMPLES;
	for (unsigned i = n; i-- > 0;)
		close(fd[i]);
	return ns;
}

/* Returns the ns of one sample with the library. */
static double ours(const struct event *ev, unsigned n)
{
	cpc_t *cpc = cpc_open(CPC_VER_CURRENT);
	cpc_set_t *set = cpc ? cpc_set_create(cpc) : NULL;
	uint64_t val;

	for (unsigned i = 0; set && i < n; i++)
		if (cpc_set_add_request(cpc, set, ev->name, 0, CPC_COUNT_USER, 0, NULL) ==
		    -1)
			err(1, "%s", ev->name);
	cpc_buf_t *buf = set ? cpc_buf_create(cpc, set) : NULL;
	if (!buf || cpc_bind_curlwp(cpc, set, 0) == -1)
		err(1, "cannot bind");
	const double from = now_ns();
	for (int i = 0; i < SAMPLES; i++) {
		if (cpc_set_sample(cpc, set, buf) == -1)
			err(1, "cpc_set_sample");
		for (unsigned r = 0; r < n; r++)
			cpc_buf_get(cpc, buf, (int)r, &val);
	}
	const double ns = (now_ns() - from) / SAMPLES;
	cpc_close(cpc);
	return ns;
}

static double median(double v[ROUNDS])
{
	qsort(v, ROUNDS, sizeof v[0], by_size);
	return v[ROUNDS / 2];
}

static void compare(const struct event *ev, unsigned n)
{
	double library[ROUNDS], kernel[ROUNDS], ratio[ROUNDS];

	bare(ev, n), ours(ev, n); /* warms up */
	for (int i = 0; i < ROUNDS; i++) {
		kernel[i] = bare(ev, n);
		library[i] = ours(ev, n);
		ratio[i] = library[i] / kernel[i];
	}
	const double r = median(ratio);
	printf("%-14s %8u %10.1f %10.1f %8.3f %6.1f  %s\n", ev->name, n, median(kernel),
	       median(library), r, goal, r <= goal ? "met" : "not met");
}

int main(int argc, char **argv)
{
	const struct event *ev = &events[0];
	const unsigned max = argc > 2 ? (unsigned)atoi(argv[2]) : MAX_REQUESTS;

	for (size_t i = 0; argc > 1 && i < sizeof events / sizeof events[0]; i++)
		if (strcmp(events[i].name, argv[1]) == 0)
			ev = &events[i];
	printf("%-14s %8s %10s %10s %8s %6s\n", "a sample, ns", "requests", "read(2)",
	       "libcpc", "ratio", "goal");
	for (unsigned n = 1; n <= MAX_REQUESTS; n = n < 4 ? 4 : n + 4)
		compare(ev, n < max ? n : max);
	return 0;
}
