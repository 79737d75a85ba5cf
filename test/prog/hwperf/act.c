/*
 * hwperf_act WHAT [ARG...]: uses the counters of hwperf.h in one way, and prints numbers.
 * hit() is called a known number of times; the event is what $EVENT names, or the calls
 * of hit() if this variable is not set.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <hwperf.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../hit.h"
#include "acts.h"

static volatile sig_atomic_t signals;

static void on_signal(int sig)
{
	(void)sig;
	signals++;
}

/*
 * overflow THRESHOLD PAGES: a signal ($SIGNAL, or SIGUSR1) after each THRESHOLD events.
 * Prints the count, the signals, and the page faults by getrusage(2).
 */
static void overflow(char **arg)
{
	setenv("EVENT", "page-faults", 0);
	const char *number = getenv("SIGNAL");
	const int fd = open_self(), pages = atoi(arg[1]);
	const int signo = number ? atoi(number) : SIGUSR1;

	signal(signo, on_signal);
	act_args.hwp_ovflw_freq[INDEX] = atoi(arg[0]);
	act_args.hwp_ovflw_sig = signo;
	/* What is used below for the first time has faults of its own. */
	fault(10);
	raise(signo);
	signals = 0;
	all_faults();
	start(fd);
	long faults = all_faults();
	fault(pages);
	hits(1000 * (unsigned)pages);
	faults = all_faults() - faults;
	const uint64_t n = count(fd);
	printf("%" PRIu64 " %d %ld\n", n, (int)signals, faults);
}

static pid_t first;
static volatile sig_atomic_t child_signals;

static void on_child_signal(int sig)
{
	(void)sig;
	if (getpid() != first)
		child_signals++;
}

/* In a child: page faults, and then the number of signals, with each step by pipe. */
static void fault_on_demand(int in, int out)
{
	int n = 0;

	fault(10);
	if (write(out, &n, sizeof n) == -1 || read(in, &n, sizeof n) == -1)
		_exit(1);
	fault(500);
	n = child_signals;
	if (write(out, &n, sizeof n) == -1 || read(in, &n, sizeof n) == -1)
		_exit(1);
	_exit(0);
}

/* One more signal may come between the reads of both numbers. */
static void print_signals(const char *whose, uint64_t events, int n)
{
	printf("%s %d %d\n", whose, events >= 500,
	       n >= 1 && (uint64_t)n + 1 >= events / 10 &&
		       (uint64_t)n <= events / 10 + 1);
	fflush(stdout);
}

/*
 * target: a signal after each 10 page faults of another process, by its handle, and of a
 * child of a process that is counted. Prints 1 for enough events, and 1 for as many
 * signals as these cause.
 */
static void target(char **arg)
{
	int in[2], out[2], n;

	(void)arg;
	first = getpid();
	signal(SIGUSR1, on_child_signal);
	act_args.hwp_ovflw_freq[INDEX] = 10;
	act_args.hwp_ovflw_sig = SIGUSR1;
	if (pipe(in) == -1 || pipe(out) == -1)
		err(1, "pipe");
	const pid_t pid = fork();
	if (pid == 0)
		fault_on_demand(in[0], out[1]);
	if (read(out[0], &n, sizeof n) == -1)
		err(1, "read");
	const int handle = open_lwp(pid);
	start(handle);
	if (write(in[1], &n, sizeof n) == -1 || read(out[0], &n, sizeof n) == -1)
		err(1, "pipe");
	print_signals("another", count(handle), n);
	if (write(in[1], &n, sizeof n) == -1)
		err(1, "write");
	waitpid(pid, NULL, 0);
	start(open_self());
	if (fork() == 0) {
		const int own = hwperf_open(getpid());

		/* What is used below for the first time has faults of its own. */
		count(own);
		fault(500);
		n = child_signals;
		print_signals("child", count(own), n);
		_exit(0);
	}
	wait(NULL);
}

static void modify(int fd)
{
	if (hwperf_ioctl(fd, PIOCSETEVCTRL, &act_args) == -1)
		err(1, "PIOCSETEVCTRL");
}

static void rename_event(int fd, const char *event)
{
	const hwperf_evname_t name = {INDEX, event};

	if (hwperf_ioctl(fd, PIOCSETEVNAME, &name) == -1)
		err(1, "PIOCSETEVNAME");
}

/*
 * names: prints four counts. The first is the count of this process after it has set its
 * event again to the same event. The second is the count of a child that calls hit() 20
 * times, sets its event again to the same event, and calls hit() 30 times. The third is
 * the count of this process after it has chosen another event. The fourth is its count
 * after it has waited for the child, which still counts the first event.
 */
static void names(char **arg)
{
	const int fd = open_self();

	(void)arg;
	start(fd);
	hits(7);
	modify(fd);
	printf("%" PRIu64, count(fd));
	fflush(stdout);
	const pid_t pid = fork();
	if (pid == 0) {
		const int own = hwperf_open(getpid());

		hits(20);
		modify(own);
		hits(30);
		printf(" %" PRIu64, count(own));
		fflush(stdout);
		_exit(0);
	}
	await(pid);
	rename_event(fd, "emulation-faults");
	modify(fd);
	printf(" %" PRIu64, count(fd));
	waitpid(pid, NULL, 0);
	printf(" %" PRIu64 "\n", count(fd));
}

/*
 * Runs in a second process: prints the generation of pid whenever it reads a byte, and
 * answers with a byte.
 */
static void watch(pid_t pid, int in, int out)
{
	const int fd = hwperf_open(pid);
	char byte;

	while (read(in, &byte, 1) == 1) {
		printf("%d ", generation_of(fd));
		fflush(stdout);
		if (write(out, &byte, 1) != 1)
			break;
	}
	_exit(0);
}

static void ask(const int *pipes)
{
	char byte = 0;

	if (write(pipes[1], &byte, 1) != 1 || read(pipes[2], &byte, 1) != 1)
		errx(1, "the second process has ended");
}

/* generations: what a second process sees of PIOCENEVCTRS and PIOCSETEVCTRL. */
static void generations(char **arg)
{
	int pipes[4];

	(void)arg;
	if (pipe(pipes) == -1 || pipe(pipes + 2) == -1)
		err(1, "pipe");
	const pid_t me = getpid();
	if (fork() == 0) {
		close(pipes[1]);
		watch(me, pipes[0], pipes[3]);
	}
	const int fd = open_self();
	ask(pipes);
	start(fd);
	hits(5);
	ask(pipes);
	act_args.hwp_ovflw_freq[INDEX] = 1000;
	const int set = hwperf_ioctl(fd, PIOCSETEVCTRL, &act_args);
	ask(pipes);
	hits(5);
	printf("%d %d %" PRIu64 "\n", set, generation_of(fd), count(fd));
	close(pipes[1]);
	wait(NULL);
}

/* all: counts of all 32 events, page faults under each name, less the true number. */
static void all(char **arg)
{
	const int fd = hwperf_open(getpid());
	hwperf_values_t v;

	(void)arg;
	for (int i = 0; i < HWPERF_EVENTMAX; i++) {
		const hwperf_evname_t name = {i, "page-faults"};

		set_event(i, HWPERF_CNTEN_U);
		if (hwperf_ioctl(fd, PIOCSETEVNAME, &name) == -1)
			err(1, "PIOCSETEVNAME");
	}
	fault(10);
	all_faults();
	start(fd);
	long faults = all_faults();
	fault(100);
	faults = all_faults() - faults;
	if (hwperf_ioctl(fd, PIOCGETEVVALS, &v) == -1)
		err(1, "PIOCGETEVVALS");
	for (int i = 0; i < HWPERF_EVENTMAX; i++)
		printf("%" PRIu64 " %d\n", v.hwp_value[i].hwv_value - (uint64_t)faults,
		       v.hwp_value[i].hwv_class);
}

/* renamed: the counts after 100 calls of hit(), 7 more under another name, and 5 more. */
static void renamed(char **arg)
{
	char event[64];
	const hwperf_evname_t name = {INDEX, event};
	const int fd = open_self();

	(void)arg;
	start(fd);
	hits(100);
	printf("%" PRIu64, count(fd));
	snprintf(event, sizeof event, "mem:%#lx/8:x", (unsigned long)hit);
	if (hwperf_ioctl(fd, PIOCSETEVNAME, &name) == -1 ||
	    hwperf_ioctl(fd, PIOCSETEVCTRL, &act_args) == -1)
		err(1, "PIOCSETEVCTRL");
	hits(7);
	printf(" %" PRIu64, count(fd));
	if (hwperf_ioctl(fd, PIOCSETEVCTRL, &act_args) == -1)
		err(1, "PIOCSETEVCTRL");
	hits(5);
	printf(" %" PRIu64 "\n", count(fd));
}

static void try_spec(const char *what, int fd, int i, int spec)
{
	hwperf_profevctrarg_t a;

	memset(&a, 0, sizeof a);
	a.hwp_evctrargs.hwp_evctrl[i].hwperf_spec = (short)spec;
	try(what, fd, PIOCENEVCTRS, &a);
}

/* Let the calls of hit() be the events of all indices. */
static void count_all(int fd)
{
	char event[64];
	hwperf_evname_t name = {0, event};

	snprintf(event, sizeof event, "mem:%#lx:x", (unsigned long)hit);
	for (; name.hwn_index < HWPERF_EVENTMAX; name.hwn_index++) {
		if (hwperf_ioctl(fd, PIOCSETEVNAME, &name) == -1)
			err(1, "PIOCSETEVNAME");
		set_event(name.hwn_index, HWPERF_CNTEN_U);
	}
}

/*
 * crowd: all indices need more breakpoints than a CPU has; then one index counts, and all
 * are tried again. Prints how much higher the generation is then, and the count.
 */
static void crowd(char **arg)
{
	const int fd = open_self();
	hwperf_cntr_t counters;

	(void)arg;
	count_all(fd);
	try("all", fd, PIOCENEVCTRS, &act_args);
	try("read", fd, PIOCGETEVCTRS, &counters);
	memset(&act_args, 0, sizeof act_args);
	set_event(INDEX, HWPERF_CNTEN_U);
	const int generation = start(fd);
	hits(100);
	count_all(fd);
	try("all again", fd, PIOCENEVCTRS, &act_args);
	hits(10);
	printf("%d %" PRIu64 "\n", generation_of(fd) - generation, count(fd));
}

/*
 * refused: a modification with a threshold that no clock can have. Prints the count of
 * calls of hit() before and after it, and how much the generation has risen.
 */
static void refused(char **arg)
{
	const int fd = open_self(), clock = INDEX + 1;
	const hwperf_evname_t name = {clock, "task-clock"};

	(void)arg;
	const int generation = start(fd);
	hits(100);
	set_event(clock, HWPERF_CNTEN_U);
	act_args.hwp_ovflw_freq[clock] = 1;
	act_args.hwp_ovflw_sig = SIGUSR1;
	if (hwperf_ioctl(fd, PIOCSETEVNAME, &name) == -1)
		err(1, "PIOCSETEVNAME");
	try("modify", fd, PIOCSETEVCTRL, &act_args);
	hits(7);
	printf("%" PRIu64 " %d\n", count(fd), generation_of(fd) - generation);
}

/* modes: kernel and supervisor mode. */
static void modes(char **arg)
{
	const int fd = hwperf_open(getpid());

	(void)arg;
	try_spec("kernel", fd, INDEX, INDEX << 5 | HWPERF_CNTEN_U | HWPERF_CNTEN_K);
	try_spec("supervisor", fd, INDEX, INDEX << 5 | HWPERF_CNTEN_S);
}

/* owner: a child tries the commands on the counters of its parent. */
static void owner(char **arg)
{
	const int fd = open_self();

	(void)arg;
	start(fd);
	hits(5);
	if (fork() == 0) {
		const int parent = hwperf_open(getppid());

		try("modify", parent, PIOCSETEVCTRL, &act_args);
		try("release", parent, PIOCRELEVCTRS, NULL);
		try("start", open_lwp(getppid()), PIOCENEVCTRS, &act_args);
		fflush(stdout);
		_exit(0);
	}
	wait(NULL);
	hits(6);
	printf("%" PRIu64 "\n", count(fd));
}

/* bad: values that are refused. */
static void bad(char **arg)
{
	const int fd = open_self();
	hwperf_cntr_t counters;
	hwperf_prusage_t usage;
	hwperf_evname_t name = {32, "page-faults"};
	int rule = 3;

	(void)arg;
	try("not started", fd, PIOCGETEVCTRS, &counters);
	try("prusage, not started", fd, PIOCGETPREVCTRS, &usage);
	try("set, not started", fd, PIOCSETEVCTRL, &act_args);
	try("release, not started", fd, PIOCRELEVCTRS, NULL);
	try("save, not a child", fd, PIOCSAVECCNTRS, NULL);
	try("no argument", fd, PIOCENEVCTRS, NULL);
	try("no command", fd, 0, &act_args);
	try("no handle", -1, PIOCENEVCTRS, &act_args);
	try("a pipe", 1, PIOCENEVCTRS, &act_args);
	const int folder = open("/", O_RDONLY);
	try("a folder", folder, PIOCRELEVCTRS, NULL);
	try("a folder, set", folder, PIOCSETEVCTRL, &act_args);
	try("index 32", fd, PIOCSETEVNAME, &name);
	try("rule 3", fd, PIOCSETEVRULE, &rule);
	try_spec("no event", fd, INDEX, 0);
	try_spec("no mode", fd, INDEX, INDEX << 5);
	try_spec("EXL alone", fd, INDEX, INDEX << 5 | HWPERF_CNTEN_E);
	try_spec("another event", fd, INDEX + 1, INDEX << 5 | HWPERF_CNTEN_U);
	/* kernel and supervisor mode would be EPERM for users */
	try_spec("all other bits", fd, INDEX + 1, ~(HWPERF_CNTEN_K | HWPERF_CNTEN_S));
	act_args.hwp_ovflw_freq[0] = -1;
	try("negative threshold", fd, PIOCENEVCTRS, &act_args);
	act_args.hwp_ovflw_freq[0] = 0;
	act_args.hwp_ovflw_sig = 65;
	try("signal 65", fd, PIOCENEVCTRS, &act_args);
	act_args.hwp_ovflw_sig = -1;
	try("signal -1", fd, PIOCENEVCTRS, &act_args);
	printf("pid -1: %s\n", hwperf_open(-1) == -1 ? strerrorname_np(errno) : "ok");
}

static const struct act acts[] = {
	{"overflow", 2, overflow},
	{"target", 0, target},
	{"children", 0, act_children},
	{"lost", 0, act_lost},
	{"save", 0, act_save},
	{"program", 1, act_program},
	{"hits", 1, act_hits},
	{"modes", 0, modes},
	{"system", 0, act_system},
	{"all", 0, all},
	{"bad", 0, bad},
	{"generations", 0, generations},
	{"renamed", 0, renamed},
	{"crowd", 0, crowd},
	{"reader", 0, act_reader},
	{"resources", 0, act_resources},
	{"owner", 0, owner},
	{"ended", 0, act_ended},
	{"bystander", 0, act_bystander},
	{"names", 0, names},
	{"refused", 0, refused},
	{"namespace", 0, act_namespace},
	{"forkhandler", 0, act_forkhandler},
	{"groups", 0, act_groups},
	{"handles", 0, act_handles},
	{"ignore", 0, act_ignore},
	{"leader", 0, act_leader},
};

int main(int argc, char **argv)
{
	return act(acts, sizeof acts / sizeof acts[0], argc, argv);
}
