/*
 * hwperf_kin WHAT [ARG...]: counts calls of hit() in this program, in its threads, and in
 * programs that its children execute, and prints the counts. Children execute this
 * program with "hits N": N calls; or with "gate PIPE".
 */
#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <hwperf.h>
#include <inttypes.h>
#include <libcpc.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../hit.h"
#include "acts.h"

enum { STACK = 65536 };

static const char self[] = "/proc/self/exe";

/* The calls of hit() of this program have the same address in all its executions. */
static int count_hits(pid_t pid)
{
	static hwperf_profevctrarg_t args;
	const int fd = hwperf_open(pid);
	char event[64];
	const hwperf_evname_t name = {INDEX, event};

	snprintf(event, sizeof event, "mem:%#lx:x", (unsigned long)hit);
	args.hwp_evctrargs.hwp_evctrl[INDEX].hwperf_spec = INDEX << 5 | HWPERF_CNTEN_U;
	if (fd == -1 || hwperf_ioctl(fd, PIOCSETEVNAME, &name) == -1 ||
	    hwperf_ioctl(fd, PIOCENEVCTRS, &args) == -1)
		err(1, "PIOCENEVCTRS");
	return fd;
}

/* Print the count and its class. */
static void show(int fd, const char *what)
{
	hwperf_values_t v;

	if (hwperf_ioctl(fd, PIOCGETEVVALS, &v) == -1)
		err(1, "PIOCGETEVVALS");
	printf("%s %" PRIu64 " %d\n", what, v.hwp_value[INDEX].hwv_value,
	       v.hwp_value[INDEX].hwv_class);
	fflush(stdout);
}

static pid_t spawn(const char *act, const char *n)
{
	char *const argv[] = {(char *)self, (char *)act, (char *)n, NULL};
	pid_t pid;

	errno = posix_spawn(&pid, self, NULL, NULL, argv, environ);
	if (errno)
		err(1, "posix_spawn");
	return pid;
}

static int execute(void *n)
{
	execl(self, self, "hits", (char *)n, (char *)NULL);
	_exit(127);
}

static void by_clone(const char *n)
{
	static char stack[STACK] __attribute__((aligned(16)));
	const pid_t pid = clone(execute, stack + STACK, SIGCHLD, (void *)n);

	if (pid == -1)
		err(1, "clone");
	waitpid(pid, NULL, 0);
}

static void by_vfork(const char *n)
{
	const pid_t pid = vfork();

	if (pid == 0) {
		execl(self, self, "hits", n, (char *)NULL);
		_exit(127);
	}
	waitpid(pid, NULL, 0);
}

static void by_fork(const char *n)
{
	const pid_t pid = fork();

	if (pid == 0)
		execute((void *)n);
	waitpid(pid, NULL, 0);
}

/*
 * Count the calls of hit() under as many indices as there are breakpoints. Returns the
 * generation.
 */
static int start_most(int fd)
{
	hwperf_profevctrarg_t args = {0};
	char event[64];

	snprintf(event, sizeof event, "mem:%#lx:x", (unsigned long)hit);
	for (int i = INDEX; i < HWPERF_EVENTMAX; i++) {
		const hwperf_evname_t name = {i, event};
		hwperf_ctrl_t *const ctrl = &args.hwp_evctrargs.hwp_evctrl[i];

		ctrl->hwperf_spec = (short)(i % HWPERF_CNTEVENTMAX << 5 | HWPERF_CNTEN_U);
		if (hwperf_ioctl(fd, PIOCSETEVNAME, &name) == -1)
			err(1, "PIOCSETEVNAME");
		if (hwperf_ioctl(fd, PIOCENEVCTRS, &args) == -1) {
			ctrl->hwperf_spec = 0;
			break;
		}
	}
	const int generation = hwperf_ioctl(fd, PIOCENEVCTRS, &args);
	if (generation == -1)
		err(1, "PIOCENEVCTRS");
	return generation;
}

/*
 * crowded: a child of fork(2) for which the breakpoints do not suffice prints how much
 * higher its generation is than that of its parent; with CPC_STRICT=1 another child reads
 * the counts of the parent.
 */
static void crowded(char **arg)
{
	const int fd = count_hits(getpid());
	const int generation = start_most(fd);

	(void)arg;
	const pid_t pid = fork();
	if (pid == 0) {
		hwperf_eventctrl_t ctrl;
		const int own = hwperf_open(getpid());

		hits(5);
		printf("generation %d\n",
		       hwperf_ioctl(own, PIOCGETEVCTRL, &ctrl) - generation);
		show(own, "child");
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	show(fd, "parent");
	if (getenv("CPC_STRICT") && fork() == 0) {
		show(hwperf_open(getppid()), "for another");
		_exit(0);
	}
	wait(NULL);
}

/* calls PROGRAM: the count after each call that executes 10, 20, 40... calls of hit(). */
static void calls(char **arg)
{
	const int fd = count_hits(getpid());
	char command[4096];

	hits(1);
	waitpid(spawn("hits", "10"), NULL, 0);
	show(fd, "posix_spawn");
	by_vfork("20");
	show(fd, "vfork");
	snprintf(command, sizeof command, "'%s' hits 40", arg[0]);
	if (system(command) != 0)
		errx(1, "system");
	show(fd, "system");
	snprintf(command, sizeof command, "'%s' hits 80", arg[0]);
	FILE *f = popen(command, "r");
	if (!f || pclose(f) != 0)
		errx(1, "popen");
	show(fd, "popen");
	by_clone("160");
	show(fd, "clone");
	by_fork("320");
	show(fd, "fork");
}

/* released: counts before and after a release, and a child after it. */
static void released(char **arg)
{
	const int fd = count_hits(getpid());

	(void)arg;
	waitpid(spawn("hits", "10"), NULL, 0);
	by_fork("20");
	hwperf_ioctl(fd, PIOCRELEVCTRS);
	show(fd, "released");
	waitpid(spawn("hits", "40"), NULL, 0);
	show(fd, "after");
}

/* unwaited: programs of fork(2) that have ended, before and after the wait. */
static void unwaited(char **arg)
{
	const int fd = count_hits(getpid());
	siginfo_t info;

	(void)arg;
	const pid_t pid = fork();
	if (pid == 0)
		execute((void *)"500");
	waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT);
	show(fd, "before");
	waitpid(spawn("hits", "7"), NULL, 0);
	show(fd, "another");
	waitpid(pid, NULL, 0);
	show(fd, "after");
}

static void *in_thread(void *arg)
{
	hits(100);
	if (arg)
		waitpid(spawn("hits", "7"), NULL, 0);
	return NULL;
}

static void run_thread(void *arg)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, in_thread, arg) || pthread_join(thread, NULL))
		errx(1, "no thread");
}

/* threads: a thread of 100 calls, and another that also executes a program of 7. */
static void threads(char **arg)
{
	(void)arg;
	run_thread(NULL);
	const int fd = count_hits(getpid());
	hits(1);
	run_thread(NULL);
	show(fd, "thread");
	run_thread((void *)self);
	show(fd, "program");
}

static int open_descriptors(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int n = 0;

	while (dir && readdir(dir))
		n++;
	if (dir)
		closedir(dir);
	return n;
}

static void *count_child(void *arg)
{
	const int fd = count_hits(gettid());
	const pid_t pid = fork();

	(void)arg;
	if (pid == 0)
		_exit(0);
	waitpid(pid, NULL, 0);
	close(fd);
	return NULL;
}

/*
 * parents: threads that count themselves and a child end. Prints 1 if the number of open
 * descriptors does not grow with the number of threads.
 */
static void parents(char **arg)
{
	enum { THREADS = 50 };
	pthread_t thread;
	const int before = open_descriptors();

	(void)arg;
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&thread, NULL, count_child, NULL) ||
		    pthread_join(thread, NULL))
			errx(1, "no thread");
	printf("%d\n", open_descriptors() - before < THREADS);
}

/* modified: a program that runs while thresholds change, and one while events change. */
static void modified(char **arg)
{
	hwperf_profevctrarg_t args = {0};
	const int fd = count_hits(getpid());

	(void)arg;
	waitpid(spawn("hits", "10"), NULL, 0);
	args.hwp_evctrargs.hwp_evctrl[INDEX].hwperf_spec = INDEX << 5 | HWPERF_CNTEN_U;
	args.hwp_ovflw_freq[INDEX] = 1000;
	if (hwperf_ioctl(fd, PIOCSETEVCTRL, &args) == -1)
		err(1, "PIOCSETEVCTRL");
	waitpid(spawn("hits", "20"), NULL, 0);
	show(fd, "threshold");
	args.hwp_evctrargs.hwp_evctrl[INDEX + 1].hwperf_spec =
		(INDEX + 1) << 5 | HWPERF_CNTEN_U;
	const hwperf_evname_t name = {INDEX + 1, "page-faults"};
	if (hwperf_ioctl(fd, PIOCSETEVNAME, &name) == -1 ||
	    hwperf_ioctl(fd, PIOCSETEVCTRL, &args) == -1)
		err(1, "PIOCSETEVCTRL");
	waitpid(spawn("hits", "40"), NULL, 0);
	show(fd, "event");
}

/* Counts cycles (event 0) of this process. Returns the handle. */
static int count_cycles(void)
{
	static hwperf_profevctrarg_t args;
	const int fd = hwperf_open(getpid());

	args.hwp_evctrargs.hwp_evctrl[0].hwperf_spec = HWPERF_CNTEN_U;
	if (hwperf_ioctl(fd, PIOCENEVCTRS, &args) == -1)
		err(1, "PIOCENEVCTRS");
	return fd;
}

/* simulated: the class of cycles before and after a child is waited for: 1 if good. */
static void simulated(char **arg)
{
	const int fd = count_cycles();
	hwperf_values_t v[2];

	(void)arg;
	if (hwperf_ioctl(fd, PIOCGETEVVALS, &v[0]) == -1)
		err(1, "PIOCGETEVVALS");
	waitpid(spawn("hits", "1"), NULL, 0);
	if (hwperf_ioctl(fd, PIOCGETEVVALS, &v[1]) == -1)
		err(1, "PIOCGETEVVALS");
	printf("before %d\nafter %d\n", v[0].hwp_value[0].hwv_class != CPC_UNAVAILABLE,
	       v[1].hwp_value[0].hwv_class == CPC_UNAVAILABLE);
}

/*
 * rules: instructions (15) on both counters by each rule. Prints errno, or 1 if both have
 * the same count.
 */
static void rules(char **arg)
{
	static const char *const name[] = {"r10000", "r12000", "r12000-free"};
	hwperf_profevctrarg_t args = {0};
	const int fd = hwperf_open(getpid());
	hwperf_cntr_t c;

	(void)arg;
	args.hwp_evctrargs.hwp_evctrl[0].hwperf_spec = 15 << 5 | HWPERF_CNTEN_U;
	args.hwp_evctrargs.hwp_evctrl[HWPERF_CNT1BASE].hwperf_spec =
		15 << 5 | HWPERF_CNTEN_U;
	for (int rule = HWPERF_R10000; rule <= HWPERF_R12000_FREE; rule++) {
		if (hwperf_ioctl(fd, PIOCSETEVRULE, &rule) == -1)
			err(1, "PIOCSETEVRULE");
		if (hwperf_ioctl(fd, PIOCENEVCTRS, &args) == -1) {
			printf("%s %s\n", name[rule], strerrorname_np(errno));
			continue;
		}
		hits(1000);
		if (hwperf_ioctl(fd, PIOCGETEVCTRS, &c) == -1)
			err(1, "PIOCGETEVCTRS");
		printf("%s %d\n", name[rule],
		       c.hwp_evctr[0] > 1000 &&
			       c.hwp_evctr[0] == c.hwp_evctr[HWPERF_CNT1BASE]);
	}
}

/* simulated_release: the value of cycles is the same in two reads after a release. */
static void released_in_simulation(char **arg)
{
	const int fd = count_cycles();
	hwperf_cntr_t c[2];

	(void)arg;
	if (hwperf_ioctl(fd, PIOCRELEVCTRS) == -1)
		err(1, "PIOCRELEVCTRS");
	for (int i = 0; i < 2; i++)
		if (hwperf_ioctl(fd, PIOCGETEVCTRS, &c[i]) == -1)
			err(1, "PIOCGETEVCTRS");
	printf("%d %d\n", c[0].hwp_evctr[0] > 0, c[0].hwp_evctr[0] == c[1].hwp_evctr[0]);
}

/* gate PIPE: 100 calls, and 7 of a program, when the pipe has been closed. */
static void gated(char **arg)
{
	char byte;

	if (read(atoi(arg[0]), &byte, 1) != 0)
		errx(1, "the pipe has data");
	hits(100);
	waitpid(spawn("hits", "7"), NULL, 0);
}

/*
 * handle self|child: a child that waits is counted by a handle of its own; self: the
 * program counts itself, and so the child, already. Prints the count of the child, and
 * those of the program when the child has been waited for.
 */
static void by_handle(char **arg)
{
	const int counts_self = strcmp(arg[0], "self") == 0;
	const int fd = counts_self ? count_hits(getpid()) : hwperf_open(getpid());
	char in[16];
	int end[2];

	if (pipe2(end, 0) == -1 || fcntl(end[1], F_SETFD, FD_CLOEXEC) == -1)
		err(1, "pipe");
	snprintf(in, sizeof in, "%d", end[0]);
	const pid_t pid = spawn("gate", in);
	const int child = count_hits(pid);
	const int save = hwperf_open(pid);
	if (hwperf_ioctl(save, PIOCSAVECCNTRS) == -1)
		err(1, "PIOCSAVECCNTRS");
	close(end[1]);
	siginfo_t info;
	waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT);
	show(child, "child");
	waitpid(pid, NULL, 0);
	show(fd, "parent");
}

static void call_hits(char **arg)
{
	hits((unsigned)atoi(arg[0]));
}

static const struct act acts[] = {
	{"calls", 1, calls},	   {"released", 0, released},
	{"unwaited", 0, unwaited}, {"simulated", 0, simulated},
	{"gate", 1, gated},	   {"handle", 1, by_handle},
	{"threads", 0, threads},   {"modified", 0, modified},
	{"hits", 1, call_hits},	   {"simulated_release", 0, released_in_simulation},
	{"crowded", 0, crowded},   {"parents", 0, parents},
	{"rules", 0, rules},
};

int main(int argc, char **argv)
{
	return act(acts, sizeof acts / sizeof acts[0], argc, argv);
}
