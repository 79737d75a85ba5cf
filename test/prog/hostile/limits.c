/* Modes that take from the program what tracing and counting may need. */
#include "modes.h"

#include <err.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../hit.h"

static void *perf_off_thread(void *arg)
{
	prctl(PR_TASK_PERF_EVENTS_DISABLE, 0, 0, 0, 0);
	return one_hit(arg);
}

/* The program disables the perf events of its own process, in two threads. */
void mode_perf_off(void)
{
	prctl(PR_TASK_PERF_EVENTS_DISABLE, 0, 0, 0, 0);
	hit_and_report(3);
	pthread_join(start(perf_off_thread, NULL), NULL);
}

/* The program sets a limit of no further process for its user. */
void mode_nproc(void)
{
	const struct rlimit none = {0, 0};
	hit_and_report(3);
	if (getuid() == 0 && setresuid(54321, 54321, 54321) == -1)
		err(1, "setresuid");
	setrlimit(RLIMIT_NPROC, &none);
	for (int i = 0; i < ROUNDS; i++)
		if (fork() != -1 || errno != EAGAIN)
			err(1, "fork");
}

/* The program sets a limit of no further descriptor. */
void mode_nofile(void)
{
	const struct rlimit none = {0, 0};
	hit_report(3);
	setrlimit(RLIMIT_NOFILE, &none);
	hits(3);
	const pid_t pid = child();
	if (pid == 0)
		_exit(3);
	printf("%d\n", WEXITSTATUS(await(pid)));
}

/* The program closes descriptors that it did not open. */
void mode_close(void)
{
	hit_report(3);
	for (int fd = 0; fd < 1024; fd++)
		close(fd);
	hits(3);
	_exit(5);
}
