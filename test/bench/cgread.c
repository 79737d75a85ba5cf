/*
 * cgread [-r] MILLISECONDS SAMPLES CGROUP...: the least that counting cgroups costs.
 * Opens a group of three events for each cgroup, a folder, and each CPU, and reads all
 * groups SAMPLES times, with a pause before each time. Prints nothing; or, with -r, a row
 * of each cgroup each time, by printf(3), as a simple program for this purpose does.
 */
#include <err.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static const uint64_t event[] = {PERF_COUNT_SW_TASK_CLOCK, PERF_COUNT_SW_PAGE_FAULTS,
				 PERF_COUNT_SW_CONTEXT_SWITCHES};

enum { EVENTS = sizeof event / sizeof event[0] };

/* What a read of a group returns (perf_event_open(2), PERF_FORMAT_GROUP). */
struct group {
	uint64_t n, enabled, running, value[EVENTS];
};

/* Returns the leader of a group of a cgroup on a CPU. */
static int open_group(int folder, int cpu)
{
	int leader = -1;

	for (unsigned i = 0; i < EVENTS; i++) {
		struct perf_event_attr a = {
			.type = PERF_TYPE_SOFTWARE,
			.size = sizeof a,
			.config = event[i],
			.read_format = PERF_FORMAT_GROUP |
				       PERF_FORMAT_TOTAL_TIME_ENABLED |
				       PERF_FORMAT_TOTAL_TIME_RUNNING,
			.disabled = leader == -1,
		};
		const int fd = (int)syscall(SYS_perf_event_open, &a, folder, cpu, leader,
					    PERF_FLAG_PID_CGROUP | PERF_FLAG_FD_CLOEXEC);
		if (fd == -1)
			err(1, "cannot count on CPU %d", cpu);
		if (leader == -1)
			leader = fd;
	}
	ioctl(leader, PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP);
	return leader;
}

/* Make *sum the sums of the values of a cgroup on all CPUs. */
static void read_cgroup(const int *fd, int cpus, struct group *sum)
{
	*sum = (struct group){0};
	for (int c = 0; c < cpus; c++) {
		struct group g;

		if (read(fd[c], &g, sizeof g) != sizeof g)
			err(1, "cannot read");
		for (unsigned i = 0; i < EVENTS; i++)
			sum->value[i] += g.value[i];
		sum->enabled += g.enabled;
		sum->running += g.running;
	}
}

static void put_row(const char *path, const struct group *g)
{
	printf("%-44s %14" PRIu64 " %9" PRIu64 " %9" PRIu64 "  enabled %" PRIu64
	       " running %" PRIu64 "\n",
	       path, g->value[0], g->value[1], g->value[2], g->enabled, g->running);
}

int main(int argc, char **argv)
{
	const int rows = argc > 1 && strcmp(argv[1], "-r") == 0;

	argc -= rows;
	argv += rows;
	if (argc < 4)
		errx(2, "usage: cgread [-r] milliseconds samples cgroup...");
	const int n = argc - 3, cpus = (int)sysconf(_SC_NPROCESSORS_ONLN);
	const long ms = atol(argv[1]);
	struct group *sum = calloc((size_t)n, sizeof *sum);
	int *fd = calloc((size_t)n * (size_t)cpus, sizeof *fd);
	struct rlimit files;

	if (!sum || !fd)
		err(1, "%d cgroups", n);
	getrlimit(RLIMIT_NOFILE, &files);
	files.rlim_cur = files.rlim_max;
	setrlimit(RLIMIT_NOFILE, &files);
	for (int i = 0; i < n; i++) {
		const int folder = open(argv[3 + i], O_RDONLY | O_DIRECTORY | O_CLOEXEC);

		if (folder == -1)
			err(1, "cannot open %s", argv[3 + i]);
		for (int c = 0; c < cpus; c++)
			fd[i * cpus + c] = open_group(folder, c);
		close(folder);
	}
	for (long sample = atol(argv[2]); sample > 0; sample--) {
		nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
		for (int i = 0; i < n; i++) {
			read_cgroup(fd + i * cpus, cpus, &sum[i]);
			if (rows)
				put_row(argv[3 + i], &sum[i]);
		}
		fflush(stdout);
	}
	return 0;
}
