/*
 * hog N COMMAND [ARG...]: occupy N counters of CPU 0, the cycle counter last, while
 * COMMAND runs. The kernel gives counters to pinned events of a CPU before events of
 * threads.
 */
#include <err.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { INST_RETIRED = 0x8, CPU_CYCLES = 0x11, EVENT_COUNTERS = 6 };

static void occupy(unsigned config)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_RAW,
		.size = sizeof(attr),
		.config = config,
		.pinned = 1,
	};
	unsigned long count;

	const int fd = (int)syscall(SYS_perf_event_open, &attr, -1, 0, -1, 0);
	if (fd < 0)
		err(1, "perf_event_open");
	/* If a pinned event has no counter, read(2) returns 0. */
	if (read(fd, &count, sizeof(count)) != sizeof(count))
		errx(1, "no counter is left");
}

int main(int argc, char **argv)
{
	if (argc < 3)
		errx(2, "usage: hog N COMMAND [ARG...]");
	const int n = atoi(argv[1]);
	for (int i = 0; i < n; i++)
		occupy(i < EVENT_COUNTERS ? INST_RETIRED : CPU_CYCLES);
	execvp(argv[2], argv + 2);
	err(127, "%s", argv[2]);
}
