/* Acts of hwperf_act in system mode, which counts all CPUs. */
#include <err.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "acts.h"

/* Page faults in user and kernel mode, which are counted for all CPUs alone. */
static hwperf_profevctrarg_t all = {.hwp_evctrargs.hwp_evctrl[INDEX].hwperf_spec =
					    INDEX << 5 | HWPERF_CNTEN_U | HWPERF_CNTEN_K};

static void name_event(void)
{
	const hwperf_evname_t name = {INDEX, "page-faults"};

	if (syssgi(SGI_EVENTCTR, HWPERF_SET_SYSEVNAME, &name) == -1)
		err(1, "HWPERF_SET_SYSEVNAME");
}

/* system: kernel mode of a handle, which counts all CPUs: generations and errnos. */
void act_system(char **arg)
{
	const int fd = hwperf_open(getpid()), user = open_self();
	hwperf_cntr_t counters;

	(void)arg;
	name_event();
	start(user);
	try("user mode is used", fd, PIOCENEVCTRS, &all);
	const int rc = syssgi(SGI_EVENTCTR, HWPERF_ENSYSCNTRS, &all);
	printf("forced: %d\n", rc > 0);
	printf("generation: %d\n", hwperf_ioctl(user, PIOCGETEVCTRS, &counters));
	try("system mode is used", user, PIOCENEVCTRS, &act_args);
	syssgi(SGI_EVENTCTR, HWPERF_RELSYSCNTRS);
	printf("not restarted: %d\n", hwperf_ioctl(user, PIOCGETEVCTRS, &counters));
	try("acquired", fd, PIOCENEVCTRS, &all);
	fault(100);
	printf("read: %d\n", hwperf_ioctl(fd, PIOCGETEVCTRS, &counters) > 0 &&
				     counters.hwp_evctr[INDEX] >= 100);
	try("user mode, system mode is used", user, PIOCENEVCTRS, &act_args);
	try("released", fd, PIOCRELEVCTRS, NULL);
	try("user mode again", user, PIOCENEVCTRS, &act_args);
}

/*
 * reader: a process reads what others have published, and then creates a child that
 * counts; system mode is tried while the child counts.
 */
void act_reader(char **arg)
{
	const int fd = hwperf_open(getppid());
	int in[2], out[2];
	char byte = 0;

	(void)arg;
	printf("%d\n", generation_of(fd));
	fflush(stdout);
	if (pipe(in) == -1 || pipe(out) == -1)
		err(1, "pipe");
	const pid_t pid = fork();
	if (pid == 0) {
		start(open_self());
		if (write(out[1], &byte, 1) == 1 && read(in[0], &byte, 1) == 1)
			_exit(0);
		_exit(1);
	}
	if (read(out[0], &byte, 1) != 1)
		err(1, "read");
	name_event();
	try("system mode", hwperf_open(getpid()), PIOCENEVCTRS, &all);
	if (write(in[1], &byte, 1) != 1)
		err(1, "write");
	waitpid(pid, NULL, 0);
}

/* Count this LWP, say so, and wait for the end of the process. */
static void *count_itself(void *out)
{
	const char byte = 0;

	start(open_lwp(gettid()));
	if (write(*(const int *)out, &byte, 1) != 1)
		err(1, "write");
	for (;;)
		pause();
}

/* bystander: system mode in a child of an LWP that is not counted, while another is. */
void act_bystander(char **arg)
{
	pthread_t lwp;
	int end[2];
	char byte;

	(void)arg;
	if (pipe(end) == -1 || pthread_create(&lwp, NULL, count_itself, &end[1]) ||
	    read(end[0], &byte, 1) != 1)
		errx(1, "no LWP that counts");
	const pid_t pid = fork();
	if (pid == 0) {
		name_event();
		try("system mode", hwperf_open(getpid()), PIOCENEVCTRS, &all);
		fflush(stdout);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

static void *count_once(void *tid)
{
	*(pid_t *)tid = gettid();
	start(open_lwp(gettid()));
	return NULL;
}

/* ended: system mode when the only LWP that was counted has ended. */
void act_ended(char **arg)
{
	pthread_t lwp;
	pid_t tid = 0;

	(void)arg;
	if (pthread_create(&lwp, NULL, count_once, &tid) || pthread_join(lwp, NULL))
		errx(1, "no LWP that counts");
	while (tgkill(getpid(), tid, 0) == 0)
		sched_yield();
	name_event();
	try("system mode", hwperf_open(getpid()), PIOCENEVCTRS, &all);
}
