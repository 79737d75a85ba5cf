/* Acts of hwperf_act that read the resources and the rights of a process. */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "acts.h"

/*
 * Waits, and so leaves the CPU, 50 times; less often if a time has passed before the wait
 * begins. Sets the switches of the process that getrusage(2) has seen.
 */
static void *wait_often(void *switches)
{
	struct rusage before, after;

	getrusage(RUSAGE_SELF, &before);
	for (int i = 0; i < 50; i++)
		usleep(1);
	getrusage(RUSAGE_SELF, &after);
	*(long *)switches = after.ru_nvcsw - before.ru_nvcsw;
	return NULL;
}

static int is_later(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec > b->tv_sec ||
	       (a->tv_sec == b->tv_sec && a->tv_nsec >= b->tv_nsec);
}

static void get_usage(int fd, hwperf_prusage_t *u)
{
	if (hwperf_ioctl(fd, PIOCGETPREVCTRS, u) == -1)
		err(1, "PIOCGETPREVCTRS");
}

/* Read 10000 bytes, with one call. */
static void read_bytes(void)
{
	static char bytes[10000];
	const int fd = open("/dev/zero", O_RDONLY);

	if (fd == -1 || read(fd, bytes, sizeof bytes) != sizeof bytes)
		err(1, "/dev/zero");
	close(fd);
}

/*
 * resources: PIOCGETPREVCTRS before and after page faults, waits of another LWP and a
 * read. Prints what each member shows of them.
 */
void act_resources(char **arg)
{
	const int fd = open_self(), has_io = access("/proc/self/io", R_OK) == 0;
	static hwperf_prusage_t a, b;
	pthread_t lwp;
	long switches;

	(void)arg;
	start(fd);
	get_usage(fd, &a);
	const uint64_t before = count(fd);
	fault(100);
	if (pthread_create(&lwp, NULL, wait_often, &switches) || pthread_join(lwp, NULL))
		errx(1, "no LWP");
	read_bytes();
	get_usage(fd, &b);
	printf("counter: %d\n", b.pu_cpu_mon.cm_cntrs.hwp_evctr[INDEX] >= before + 100);
	printf("faults: %d\n", b.pu_minf + b.pu_majf >= a.pu_minf + a.pu_majf + 100 &&
				       b.pu_vfault == b.pu_minf + b.pu_majf);
	printf("switches: %d\n",
	       switches > 0 && b.pu_vctx >= a.pu_vctx + (uint64_t)switches);
	printf("bytes: %d\n",
	       !has_io || (b.pu_bread >= a.pu_bread + 10000 && b.pu_syscr > a.pu_syscr));
	printf("times: %d\n", is_later(&b.pu_tstamp, &a.pu_tstamp) &&
				      is_later(&a.pu_tstamp, &a.pu_starttime) &&
				      is_later(&b.pu_stime, &a.pu_stime) &&
				      is_later(&b.pu_utime, &a.pu_utime));
	printf("memory: %d\n", b.pu_size >= b.pu_rss && b.pu_rss > 0);
	printf("no figures: %d\n", !b.pu_utlb && !b.pu_ktlb && !b.pu_nswap &&
					   !b.pu_sigs && !b.pu_sysc && !b.pu_syscps &&
					   !b.pu_sysci);
}

/* Gives this process so many groups that its status file has more than 16 KiB. */
static void join_groups(void)
{
	gid_t groups[2000];

	for (unsigned i = 0; i < sizeof groups / sizeof *groups; i++)
		groups[i] = 10000000 + i;
	if (setgroups(sizeof groups / sizeof *groups, groups) == -1)
		err(1, "setgroups");
}

/* Becomes a user that is not root and keeps the capabilities. */
static void become_user(void)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct data[2];

	if (prctl(PR_SET_KEEPCAPS, 1) == -1 || setresuid(65534, 65534, 65534) == -1 ||
	    syscall(SYS_capget, &header, data) == -1)
		err(1, "setresuid");
	data[0].effective = data[0].permitted;
	data[1].effective = data[1].permitted;
	if (syscall(SYS_capset, &header, data) == -1)
		err(1, "capset");
}

/*
 * groups: in a process of many groups, prints whether PIOCGETPREVCTRS sees the switches
 * of a child, and the error of releasing counters of all CPUs that are not in use.
 */
void act_groups(char **arg)
{
	hwperf_prusage_t u;
	int ready[2];
	char byte = 0;

	(void)arg;
	join_groups();
	if (pipe(ready) == -1)
		err(1, "pipe");
	const pid_t pid = fork();
	if (pid == 0) {
		for (int i = 0; i < 50; i++)
			usleep(1000);
		_exit(write(ready[1], &byte, 1) == 1 && pause());
	}
	const int child = open_lwp(pid);
	start(child);
	if (read(ready[0], &byte, 1) != 1)
		err(1, "read");
	get_usage(child, &u);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	printf("switches: %d\n", u.pu_vctx > 0);
	become_user();
	if (syssgi(SGI_EVENTCTR, HWPERF_RELSYSCNTRS) == -1)
		printf("release: %s\n", strerrorname_np(errno));
}
