#include "irix/hwperf_prusage.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "irix/hwperf_proc.h"

enum { NS = 1000000000, BLOCK = 512, GIB_BITS = 30 };

static struct timespec of_ticks(uint64_t ticks)
{
	const uint64_t hz = (uint64_t)sysconf(_SC_CLK_TCK);

	return (struct timespec){.tv_sec = (time_t)(ticks / hz),
				 .tv_nsec = (long)(ticks % hz * (NS / hz))};
}

static struct timespec of_timeval(const struct timeval *t)
{
	return (struct timespec){.tv_sec = t->tv_sec, .tv_nsec = t->tv_usec * 1000};
}

/* The start is counted from the boot of the machine. */
static struct timespec since_epoch(struct timespec t)
{
	struct timespec now, up;

	clock_gettime(CLOCK_REALTIME, &now);
	clock_gettime(CLOCK_BOOTTIME, &up);
	t.tv_sec += now.tv_sec - up.tv_sec;
	t.tv_nsec += now.tv_nsec - up.tv_nsec;
	while (t.tv_nsec < 0) {
		t.tv_nsec += NS;
		t.tv_sec--;
	}
	while (t.tv_nsec >= NS) {
		t.tv_nsec -= NS;
		t.tv_sec++;
	}
	return t;
}

/* Source: proc(5), stat. */
static void from_stat(hwperf_prusage_t *u, const char *stat)
{
	clock_gettime(CLOCK_REALTIME, &u->pu_tstamp);
	u->pu_minf = hwperf_proc_stat(stat, 10);
	u->pu_majf = hwperf_proc_stat(stat, 12);
	u->pu_vfault = u->pu_minf + u->pu_majf;
	u->pu_utime = of_ticks(hwperf_proc_stat(stat, 14));
	u->pu_stime = of_ticks(hwperf_proc_stat(stat, 15));
	u->pu_starttime = since_epoch(of_ticks(hwperf_proc_stat(stat, 22)));
	u->pu_size = hwperf_proc_stat(stat, 23) / (uint64_t)sysconf(_SC_PAGESIZE);
	u->pu_rss = hwperf_proc_stat(stat, 24);
}

static void from_io(hwperf_prusage_t *u, const char *io)
{
	const uint64_t in = hwperf_proc_line(io, "rchar:");
	const uint64_t out = hwperf_proc_line(io, "wchar:");
	const uint64_t below = (UINT64_C(1) << GIB_BITS) - 1;

	u->pu_gbread = in >> GIB_BITS;
	u->pu_bread = in & below;
	u->pu_gbwrit = out >> GIB_BITS;
	u->pu_bwrit = out & below;
	u->pu_syscr = hwperf_proc_line(io, "syscr:");
	u->pu_syscw = hwperf_proc_line(io, "syscw:");
	u->pu_inblock = hwperf_proc_line(io, "read_bytes:") / BLOCK;
	u->pu_oublock = hwperf_proc_line(io, "write_bytes:") / BLOCK;
}

/*
 * For the caller's own process, getrusage(2) has times in us and the context switches of
 * all LWPs. The files of /proc/PID have less: stat has times in ticks of 10 ms, and
 * status the switches of one LWP.
 */
static void refine_own(hwperf_prusage_t *u)
{
	struct rusage own;

	if (getrusage(RUSAGE_SELF, &own) == -1)
		return;
	u->pu_utime = of_timeval(&own.ru_utime);
	u->pu_stime = of_timeval(&own.ru_stime);
	u->pu_vctx = (uint64_t)own.ru_nvcsw;
	u->pu_ictx = (uint64_t)own.ru_nivcsw;
}

int hwperf_prusage(int handle, hwperf_prusage_t *u)
{
	char text[4096];

	memset(u, 0, sizeof *u);
	if (hwperf_proc_read(handle, "stat", text, sizeof text) == -1)
		return -1;
	from_stat(u, text);
	char *status = hwperf_proc_text(handle, "status");
	if (!status)
		return -1;
	const int is_own = (pid_t)hwperf_proc_line(status, "Tgid:") == getpid();
	u->pu_vctx = hwperf_proc_line(status, "voluntary_ctxt_switches:");
	u->pu_ictx = hwperf_proc_line(status, "nonvoluntary_ctxt_switches:");
	free(status);
	/* The file io of another user's process cannot be read: its figures stay 0. */
	if (hwperf_proc_read(handle, "io", text, sizeof text) == 0)
		from_io(u, text);
	if (is_own)
		refine_own(u);
	return 0;
}
