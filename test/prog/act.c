/* act NAME [ARG...]: does one small action of a program, selected by name. */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The first argument as a number, or otherwise if there is none. */
static int number(char **arg, int otherwise)
{
	return *arg ? atoi(*arg) : otherwise;
}

static void ready(void)
{
	printf("ready %d\n", (int)getpid());
	fflush(stdout);
}

/* Blocks sig before it prints "ready", so that the signal waits until sigwait(3). */
static void ready_and_wait_for(int sig)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, sig);
	sigprocmask(SIG_BLOCK, &set, NULL);
	ready();
	int got;
	sigwait(&set, &got);
}

/* exit N: exit with status N. */
static int act_exit(char **arg)
{
	return number(arg, 0);
}

/* args A...: print each argument on a line of its own. */
static int act_args(char **arg)
{
	for (; *arg; arg++)
		printf("%s\n", *arg);
	return 0;
}

static int act_segv(char **arg)
{
	(void)arg;
	volatile int *volatile nowhere = NULL;
	return *nowhere;
}

/* kill N: send signal N to itself. */
static int act_kill(char **arg)
{
	fflush(stdout);
	return raise(number(arg, SIGTERM)) ? 1 : 0;
}

/* park: live until killed; answer "alive" to SIGUSR1. */
static int act_park(char **arg)
{
	(void)arg;
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	ready();
	for (int got; sigwait(&set, &got) == 0;) {
		printf("alive\n");
		fflush(stdout);
	}
	return 1;
}

/* catch SIG STATUS: wait for a signal, print its number, exit with STATUS. */
static int act_catch(char **arg)
{
	const int sig = number(arg, SIGTERM);
	ready_and_wait_for(sig);
	printf("got %d\n", sig);
	return number(arg + 1, 0);
}

/* ignoreint: ignore SIGINT, end with status 4 when a line comes on stdin. */
static int act_ignoreint(char **arg)
{
	(void)arg;
	signal(SIGINT, SIG_IGN);
	ready();
	char line[64];
	if (!fgets(line, sizeof(line), stdin))
		return 1;
	printf("read %s", line);
	return 4;
}

/* signals N: send itself N signals, print how many its handler received. */
static volatile sig_atomic_t received;

static void count_signal(int sig)
{
	(void)sig;
	received++;
}

static int act_signals(char **arg)
{
	signal(SIGUSR1, count_signal);
	for (int i = number(arg, 100); i > 0; i--)
		raise(SIGUSR1);
	printf("%d\n", (int)received);
	return 0;
}

static pid_t stopping_child(int until)
{
	const pid_t pid = fork();
	if (pid != 0)
		return pid;
	raise(SIGSTOP);
	char c;
	_exit(read(until, &c, 1) == 1 ? 3 : 1);
}

/* stopcont: a child stops itself, continues and exits; print what waitpid(2) reports. */
static int act_stopcont(char **arg)
{
	(void)arg;
	int until[2];
	if (pipe(until))
		err(1, "pipe");
	const pid_t pid = stopping_child(until[0]);
	int st;
	if (pid < 0 || waitpid(pid, &st, WUNTRACED) != pid)
		err(1, "child");
	printf("stopped %d\n", WIFSTOPPED(st) ? WSTOPSIG(st) : -1);
	kill(pid, SIGCONT);
	if (waitpid(pid, &st, WCONTINUED) != pid)
		err(1, "child");
	printf("continued %d\n", WIFCONTINUED(st) != 0);
	if (write(until[1], "", 1) != 1 || waitpid(pid, &st, 0) != pid)
		err(1, "child");
	printf("exit %d\n", WIFEXITED(st) ? WEXITSTATUS(st) : -1);
	return 0;
}

/* uids: print the real and the effective user id. */
static int act_uids(char **arg)
{
	(void)arg;
	printf("%d %d\n", (int)getuid(), (int)geteuid());
	return 0;
}

/* spin MS: use the processor for MS milliseconds of wall time. */
static int act_spin(char **arg)
{
	struct timespec from, now;
	clock_gettime(CLOCK_MONOTONIC, &from);
	const long ms = number(arg, 100);
	do
		clock_gettime(CLOCK_MONOTONIC, &now);
	while ((now.tv_sec - from.tv_sec) * 1000 +
		       (now.tv_nsec - from.tv_nsec) / 1000000 <
	       ms);
	return 0;
}

/* Has a page fault in user mode for each of n pages. */
static void touch_pages(size_t n)
{
	const size_t size = (size_t)sysconf(_SC_PAGESIZE);
	volatile char *p = mmap(NULL, n * size, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		_exit(1);
	madvise((void *)p, n * size, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < n; i++)
		p[i * size] = 1;
	munmap((void *)p, n * size);
}

/* naps N ROUNDS: in each round N page faults, then a sleep of 0.1 ms. */
static int act_naps(char **arg)
{
	for (int round = atoi(arg[1]); round > 0; round--) {
		touch_pages((size_t)atoi(arg[0]));
		nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
	}
	return 0;
}

/* The child of act_faults(). */
static int fault_pages(void *pages)
{
	touch_pages(*(const unsigned *)pages);
	_exit(0);
}

/* faults N [untraced]: a child has N page faults or more; untraced: CLONE_UNTRACED. */
static int act_faults(char **arg)
{
	static char stack[65536] __attribute__((aligned(64)));
	int n = number(arg, 1), st;

	const int flags = SIGCHLD | (arg[1] ? CLONE_UNTRACED : 0);
	const pid_t pid = clone(fault_pages, stack + sizeof(stack), flags, &n);
	if (pid < 0 || waitpid(pid, &st, 0) != pid)
		err(1, "child");
	return st != 0;
}

/*
 * births N: N children run long in the kernel before they can be traced. The kernel
 * stores the id of a new process, here in a page of 2 MiB that it must first fill with 0.
 */
static int act_births(char **arg)
{
	const size_t huge = (size_t)2 << 20;
	char *p = mmap(NULL, 2 * huge, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int st;

	if (p == MAP_FAILED)
		err(1, "mmap");
	p += huge - (uintptr_t)p % huge;
	madvise(p, huge, MADV_HUGEPAGE);
	for (int i = number(arg, 1); i > 0; i--) {
		const long pid = syscall(SYS_clone, CLONE_CHILD_SETTID | SIGCHLD, NULL,
					 NULL, p, 0);
		if (pid == 0)
			_exit(0);
		if (pid == -1 || waitpid((pid_t)pid, &st, 0) != pid || st)
			err(1, "child");
	}
	return 0;
}

/* The breakpoint of act_breakpoint() is here. */
static __attribute__((noinline)) void stop(void)
{
	__asm__ volatile("");
}

/*
 * breakpoint: status 0 if this user can count an execution breakpoint. Else the error, or
 * what the breakpoint counted: some virtual machines never stop at it.
 */
static int act_breakpoint(char **arg)
{
	uint64_t count;

	(void)arg;
	struct perf_event_attr attr = {
		.type = PERF_TYPE_BREAKPOINT,
		.size = sizeof(attr),
		.bp_type = HW_BREAKPOINT_X,
		.bp_addr = (uintptr_t)stop,
		.bp_len = sizeof(long),
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	const int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);

	if (fd < 0)
		err(1, "breakpoint");
	stop();
	if (read(fd, &count, sizeof count) != sizeof count)
		err(1, "breakpoint: read");
	if (count != 1)
		errx(1, "a breakpoint that was met once counted %" PRIu64, count);
	return 0;
}

/*
 * may user|kernel|cpus|threads: status 0 if this user can count this part of the machine,
 * or the threads that a thread will create, else the error.
 */
static int act_may(char **arg)
{
	const int cpus = strcmp(arg[0], "cpus") == 0;
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_TASK_CLOCK,
		.exclude_kernel = strcmp(arg[0], "user") == 0,
		.exclude_hv = 1,
	};
	if (strcmp(arg[0], "threads") == 0) {
#ifndef PERF_ATTR_SIZE_VER7
		errx(1, "the headers of the kernel are older than Linux 5.13");
#else
		attr.exclude_kernel = attr.inherit = attr.inherit_thread = 1;
#endif
	}
	if (syscall(SYS_perf_event_open, &attr, cpus ? -1 : 0, cpus ? sched_getcpu() : -1,
		    -1, 0) < 0)
		err(1, "%s", arg[0]);
	return 0;
}

/*
 * cgroup FOLDER N: status 0 if this user can count a cgroup. Then join the cgroup and
 * touch N pages for the first time, if N is above 0; nothing else there has page faults.
 */
static int act_cgroup(char **arg)
{
	const int n = number(arg + 1, 0), folder = open(arg[0], O_RDONLY | O_DIRECTORY);
	struct perf_event_attr attr = {.type = PERF_TYPE_SOFTWARE,
				       .size = sizeof(attr),
				       .config = PERF_COUNT_SW_PAGE_FAULTS};

	if (folder < 0 || syscall(SYS_perf_event_open, &attr, folder, sched_getcpu(), -1,
				  PERF_FLAG_PID_CGROUP) < 0)
		err(1, "%s", arg[0]);
	if (n < 1)
		return 0;
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	const int procs = openat(folder, "cgroup.procs", O_WRONLY);
	char *p = mmap(NULL, (size_t)n * page, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED || procs < 0)
		err(1, "%s", arg[0]);
	madvise(p, (size_t)n * page, MADV_NOHUGEPAGE);
	if (write(procs, "0", 1) != 1)
		err(1, "%s", arg[0]);
	for (int i = 0; i < n; i++)
		((volatile char *)p)[(size_t)i * page] = 1;
	_exit(0);
}

/* vfork MS: sleep in vfork(2) until a child ends, after MS ms. */
static int act_vfork(char **arg)
{
	volatile const int ms = number(arg, 0);
	const pid_t pid = vfork();

	if (pid == 0) {
		usleep((useconds_t)ms * 1000);
		_exit(0);
	}
	return pid < 0 || waitpid(pid, NULL, 0) != pid;
}

/* exec CMD ARG...: execute another program. */
static int act_exec(char **arg)
{
	execvp(arg[0], arg);
	err(errno == ENOENT ? 127 : 126, "%s", arg[0]);
}

static const struct {
	const char *name;
	int nargs; /* least number of arguments */
	int (*run)(char **arg);
} act[] = {
	{"exit", 1, act_exit},
	{"args", 0, act_args},
	{"segv", 0, act_segv},
	{"kill", 1, act_kill},
	{"park", 0, act_park},
	{"catch", 2, act_catch},
	{"ignoreint", 0, act_ignoreint},
	{"signals", 1, act_signals},
	{"stopcont", 0, act_stopcont},
	{"uids", 0, act_uids},
	{"spin", 1, act_spin},
	{"vfork", 1, act_vfork},
	{"exec", 1, act_exec},
	{"breakpoint", 0, act_breakpoint},
	{"may", 1, act_may},
	{"faults", 1, act_faults},
	{"naps", 2, act_naps},
	{"births", 1, act_births},
	{"cgroup", 2, act_cgroup},
};

int main(int argc, char **argv)
{
	alarm(300); /* the program ends even if the test does not end it */
	for (size_t i = 0; argc > 1 && i < sizeof(act) / sizeof(act[0]); i++)
		if (strcmp(argv[1], act[i].name) == 0 && argc - 2 >= act[i].nargs)
			return act[i].run(argv + 2);
	fprintf(stderr, "usage: act NAME [ARG...]\n");
	return 2;
}
