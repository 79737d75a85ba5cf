/*
 * runbench [-c] ROUNDS LABEL CMD [ARG...] [++ LABEL CMD [ARG...]]...: compares the wall
 * times of several commands; -c: the CPU times of the commands and their children.
 *
 * Every round runs each command once, and each round begins with another command, so that
 * other load of the machine affects all of them alike. A first round is not counted.
 * Prints, separated by tabs: label, rounds, median, least, interquartile range (us), and
 * the most memory that a process of the command had (KiB).
 * Standard input, output and error of the commands are /dev/null; if a command fails,
 * runbench runs it again with its standard error shown, and exits with status 1.
 */
#include <err.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { MAX_COMMANDS = 16 };

struct command {
	const char *label;
	char **argv;
	double *us; /* time of each round */
	long peak;  /* resident memory, KiB */
};

/* Wall time, or with cpu the CPU time of all children so far, in us. */
static double now_us(int cpu)
{
	struct rusage r;
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	if (!cpu)
		return t.tv_sec * 1e6 + t.tv_nsec / 1e3;
	getrusage(RUSAGE_CHILDREN, &r);
	return (r.ru_utime.tv_sec + r.ru_stime.tv_sec) * 1e6 + r.ru_utime.tv_usec +
	       r.ru_stime.tv_usec;
}

/* Runs a command, with standard error if show. Returns its wait status. */
static int run(char **argv, int show, struct rusage *usage)
{
	posix_spawn_file_actions_t fa;
	posix_spawn_file_actions_init(&fa);
	posix_spawn_file_actions_addopen(&fa, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&fa, 1, "/dev/null", O_WRONLY, 0);
	if (!show)
		posix_spawn_file_actions_addopen(&fa, 2, "/dev/null", O_WRONLY, 0);
	pid_t pid;
	const int e = posix_spawnp(&pid, argv[0], &fa, NULL, argv, environ);
	if (e)
		errx(1, "%s: %s", argv[0], strerror(e));
	posix_spawn_file_actions_destroy(&fa);
	int status;
	if (wait4(pid, &status, 0, usage) != pid)
		err(1, "%s", argv[0]);
	return status;
}

static void run_timed(struct command *c, int round, int cpu)
{
	const double from = now_us(cpu);
	struct rusage usage;
	const int status = run(c->argv, 0, &usage);
	if (round >= 0)
		c->us[round] = now_us(cpu) - from;
	if (usage.ru_maxrss > c->peak)
		c->peak = usage.ru_maxrss;
	if (status) {
		warnx("%s: wait status %#x; again, to see why:", c->label, status);
		run(c->argv, 1, &usage);
		exit(1);
	}
}

static int by_size(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* Interpolates between two values; f = 0.5: the median. */
static double quantile(const double *sorted, int n, double f)
{
	const double at = f * (n - 1);
	const int i = (int)at;
	return i + 1 < n ? sorted[i] + (at - i) * (sorted[i + 1] - sorted[i]) : sorted[i];
}

/* Splits the arguments at "++". Returns the number of commands. */
static int commands(struct command *c, char **arg, int rounds)
{
	int n = 0;
	while (*arg) {
		if (n == MAX_COMMANDS || !arg[1])
			errx(2, "%s",
			     arg[1] ? "too many commands" : "a label without a command");
		c[n] = (struct command){arg[0], arg + 1, calloc(rounds, sizeof(double)),
					0};
		if (!c[n].us)
			err(1, "rounds");
		n++;
		while (*arg && strcmp(*arg, "++") != 0)
			arg++;
		if (*arg)
			*arg++ = NULL;
	}
	return n;
}

int main(int argc, char **argv)
{
	const int cpu = argc > 1 && strcmp(argv[1], "-c") == 0;
	argv += cpu;
	const int rounds = argc - cpu > 1 ? atoi(argv[1]) : 0;
	if (rounds < 1 || argc - cpu < 4) {
		fprintf(stderr, "usage: runbench [-c] ROUNDS LABEL CMD [ARG...] "
				"[++ LABEL CMD [ARG...]]...\n");
		return 2;
	}
	struct command c[MAX_COMMANDS];
	const int n = commands(c, argv + 2, rounds);
	for (int round = -1; round < rounds; round++)
		for (int i = 0; i < n; i++)
			run_timed(&c[(i + round + 1) % n], round, cpu);
	for (int i = 0; i < n; i++) {
		qsort(c[i].us, rounds, sizeof(double), by_size);
		printf("%s\t%d\t%.0f\t%.0f\t%.0f\t%ld\n", c[i].label, rounds,
		       quantile(c[i].us, rounds, 0.5), c[i].us[0],
		       quantile(c[i].us, rounds, 0.75) - quantile(c[i].us, rounds, 0.25),
		       c[i].peak);
		free(c[i].us);
	}
	return 0;
}
