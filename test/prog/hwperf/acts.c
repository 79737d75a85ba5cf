#include "acts.h"

#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "../hit.h"

enum { PAGE = 4096 };

hwperf_profevctrarg_t act_args;

void fault(int pages)
{
	const size_t size = (size_t)pages * PAGE;
	volatile char *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED || madvise((void *)p, size, MADV_NOHUGEPAGE) == -1)
		err(1, "mmap");
	for (int i = 0; i < pages; i++)
		p[(size_t)i * PAGE] = 1;
	munmap((void *)p, size);
}

void set_event(int i, int mode)
{
	act_args.hwp_evctrargs.hwp_evctrl[i].hwperf_spec =
		(short)(i % HWPERF_CNTEVENTMAX << 5 | mode);
}

int open_lwp(pid_t tid)
{
	char event[64];
	hwperf_evname_t name = {INDEX, getenv("EVENT")};
	const int fd = hwperf_open(tid);

	if (!name.hwn_name) {
		snprintf(event, sizeof event, "mem:%#lx:x", (unsigned long)hit);
		name.hwn_name = event;
	}
	if (fd == -1 || hwperf_ioctl(fd, PIOCSETEVNAME, &name) == -1)
		err(1, "hwperf_open");
	set_event(INDEX, HWPERF_CNTEN_U);
	return fd;
}

int open_self(void)
{
	return open_lwp(getpid());
}

int start(int fd)
{
	const int generation = hwperf_ioctl(fd, PIOCENEVCTRS, &act_args);

	if (generation == -1)
		err(1, "PIOCENEVCTRS");
	return generation;
}

uint64_t count(int fd)
{
	hwperf_cntr_t counters;

	if (hwperf_ioctl(fd, PIOCGETEVCTRS, &counters) == -1)
		err(1, "PIOCGETEVCTRS");
	return counters.hwp_evctr[INDEX];
}

long all_faults(void)
{
	struct rusage usage;

	if (getrusage(RUSAGE_SELF, &usage) == -1)
		err(1, "getrusage");
	return usage.ru_minflt + usage.ru_majflt;
}

void await(pid_t pid)
{
	siginfo_t info;

	if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) == -1)
		err(1, "waitid");
}

int generation_of(int fd)
{
	hwperf_eventctrl_t ctrl;

	return hwperf_ioctl(fd, PIOCGETEVCTRL, &ctrl);
}

void try(const char *what, int fd, int cmd, void *arg)
{
	const int rc = hwperf_ioctl(fd, cmd, arg);

	printf("%s: %s\n", what, rc == -1 ? strerrorname_np(errno) : "ok");
}

int act(const struct act *acts, size_t n, int argc, char **argv)
{
	for (size_t i = 0; argc > 1 && i < n; i++)
		if (strcmp(argv[1], acts[i].name) == 0 && argc - 2 >= acts[i].nargs) {
			acts[i].act(argv + 2);
			return 0;
		}
	errx(2, "usage: %s WHAT [ARG...]", program_invocation_short_name);
}
