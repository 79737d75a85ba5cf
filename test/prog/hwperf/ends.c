/* Acts of hwperf_act with children that end in unusual ways. */
#include <err.h>
#include <inttypes.h>
#include <libcpc.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../hit.h"
#include "acts.h"

static void start_child(unsigned n)
{
	if (fork())
		return;
	hits(n);
	_exit(0);
}

/* Prints the count, or "unavailable". */
static void show(int fd)
{
	hwperf_values_t v;

	if (hwperf_ioctl(fd, PIOCGETEVVALS, &v) == -1)
		err(1, "PIOCGETEVVALS");
	if (v.hwp_value[INDEX].hwv_class == CPC_UNAVAILABLE)
		puts("unavailable");
	else
		printf("%" PRIu64 "\n", v.hwp_value[INDEX].hwv_value);
}

/*
 * ignore: a child that ends while SIGCHLD is ignored; prints the count when it is not
 * ignored any more. Then a child that the program waits for, with a read before SIGCHLD
 * is ignored, and a child without.
 */
void act_ignore(char **arg)
{
	const int fd = open_self();

	(void)arg;
	start(fd);
	signal(SIGCHLD, SIG_IGN);
	start_child(60);
	while (wait(NULL) != -1)
		;
	signal(SIGCHLD, SIG_DFL);
	show(fd);
	start_child(500);
	wait(NULL);
	show(fd);
	signal(SIGCHLD, SIG_IGN);
	show(fd);
	signal(SIGCHLD, SIG_DFL);
	start_child(7);
	wait(NULL);
	signal(SIGCHLD, SIG_IGN);
	show(fd);
}

/* Waits until the first LWP of a process has ended. */
static void await_leader(pid_t pid)
{
	char path[32], state = 0;

	snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
	while (state != 'Z') {
		FILE *f = fopen(path, "re");

		if (!f || fscanf(f, "%*d (%*[^)]) %c", &state) != 1)
			err(1, "%s", path);
		fclose(f);
		usleep(1000);
	}
}

static void *hit_later(void *end)
{
	char byte;

	if (read(*(int *)end, &byte, 1) == 0)
		hits(500);
	_exit(0);
}

/*
 * leader: the first LWP of a child ends before another LWP of it. The child is marked by
 * PIOCSAVECCNTRS. Prints the count when the first LWP has ended, and when the child has.
 */
void act_leader(char **arg)
{
	const int fd = open_self();
	int end[2];
	pthread_t lwp;

	(void)arg;
	start(fd);
	if (pipe(end) == -1)
		err(1, "pipe");
	const pid_t pid = fork();
	if (pid == 0) {
		close(end[1]);
		hits(7);
		if (pthread_create(&lwp, NULL, hit_later, &end[0]))
			_exit(1);
		pthread_exit(NULL);
	}
	const int child = hwperf_open(pid);
	if (hwperf_ioctl(child, PIOCSAVECCNTRS) == -1)
		err(1, "PIOCSAVECCNTRS");
	await_leader(pid);
	show(fd);
	close(end[0]);
	close(end[1]);
	await(pid);
	show(fd);
	wait(NULL);
}

/* Counts a child that calls hit() n times, until it has ended. Returns its handle. */
static int count_child(unsigned n)
{
	int end[2];
	char byte;

	if (pipe(end) == -1)
		err(1, "pipe");
	const pid_t pid = fork();
	if (pid == 0) {
		close(end[1]);
		if (read(end[0], &byte, 1) == 0)
			hits(n);
		_exit(0);
	}
	const int handle = open_lwp(pid);
	start(handle);
	close(end[0]);
	close(end[1]);
	waitpid(pid, NULL, 0);
	return handle;
}

/* Returns the lowest number that no descriptor has. */
static int lowest_free(void)
{
	const int fd = dup(0);

	close(fd);
	return fd;
}

static void *count_lwp(void *handle)
{
	*(int *)handle = open_lwp(gettid());
	start(*(int *)handle);
	hits(7);
	return NULL;
}

static int count_ended_lwp(void)
{
	pthread_t lwp;
	int handle;

	if (pthread_create(&lwp, NULL, count_lwp, &handle) || pthread_join(lwp, NULL))
		errx(1, "no LWP");
	return handle;
}

/*
 * handles: counts two children and two LWPs, one after the other, and prints their
 * counts. Then counts a child and an LWP ten times, closes their handles, and prints how
 * many more descriptors this process has open after that than before.
 */
void act_handles(char **arg)
{
	int handle[4] = {count_child(500), count_child(60), count_ended_lwp()};

	(void)arg;
	handle[3] = count_ended_lwp();
	for (int i = 0; i < 4; i++) {
		printf("%" PRIu64 "\n", count(handle[i]));
		close(handle[i]);
	}
	close(count_child(1));
	close(count_ended_lwp());
	const int before = lowest_free();
	for (int i = 0; i < 10; i++) {
		close(count_child(1));
		close(count_ended_lwp());
	}
	printf("%d\n", lowest_free() - before);
}
