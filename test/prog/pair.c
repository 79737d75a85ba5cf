/*
 * pair CALL[:ARGUMENT...]...: a program that makes these calls of libperfex(3), in order,
 * after a line with their number.
 *
 * start:E0:E1, read:E0:E1, print:E0:C0:E1:C1, costs:E0:C0:E1:C1 and load:FILE print the
 * call and its result, which is followed by errno if the call failed, or by the counts.
 * "-" instead of C0 and C1 stands for the counts of the last read. raw:E0:E1 is a read
 * that writes the counts as two numbers of 8 bytes, so that the program executes the same
 * instructions whatever they are. pages:N touches N new pages, each with one page fault.
 * thread:CALL/CALL... makes the calls in a new thread, fork continues in a child, for
 * which the parent waits, and run:N executes this program with pages:N in a child. wait
 * prints "waiting", and waits for a line of stdin.
 */
#include <err.h>
#include <errno.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <libperfex.h>

enum { PAGE = 4096, MOST = 5 };

static long long count[2];

/* Few enough pages that the kernel does not use a huge one, which has a single fault. */
static __attribute__((noinline)) void touch(long n)
{
	const size_t size = (size_t)n * PAGE;
	volatile char *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		err(1, "mmap");
	for (long i = 0; i < n; i++)
		p[i * PAGE] = 1;
	munmap((void *)p, size);
}

static void show(const char *call, int rc, int with_counts)
{
	if (rc == -1)
		printf("%s -1 %s\n", call, strerrorname_np(errno));
	else if (with_counts)
		printf("%s %d %lld %lld\n", call, rc, count[0], count[1]);
	else
		printf("%s %d\n", call, rc);
}

static void read_raw(int e0, int e1)
{
	if (read_counters(e0, &count[0], e1, &count[1]) == -1)
		exit(1);
	if (write(STDOUT_FILENO, count, sizeof count) != sizeof count)
		err(1, "write");
}

static void in_child(void)
{
	int status;
	const pid_t pid = fork();

	if (pid == -1)
		err(1, "fork");
	if (pid == 0)
		return;
	if (waitpid(pid, &status, 0) == -1)
		err(1, "waitpid");
	exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}

static void run(const char *n)
{
	char calls[32];
	char *const argv[] = {(char *)"pair", calls, NULL};
	posix_spawn_file_actions_t quiet;
	pid_t pid;
	int status;

	snprintf(calls, sizeof calls, "pages:%s", n);
	posix_spawn_file_actions_init(&quiet);
	posix_spawn_file_actions_addclose(&quiet, STDOUT_FILENO);
	if (posix_spawn(&pid, "/proc/self/exe", &quiet, NULL, argv, environ) ||
	    waitpid(pid, &status, 0) == -1 || status)
		errx(1, "cannot run pair %s", calls);
	posix_spawn_file_actions_destroy(&quiet);
}

static void await_line(void)
{
	char byte;

	puts("waiting");
	while (read(STDIN_FILENO, &byte, 1) == 1 && byte != '\n')
		;
}

static void call(char *text);

static void *in_thread(void *rest)
{
	for (char *at = rest, *text; (text = strsep(&at, "/"));)
		call(text);
	return NULL;
}

static void make_thread(char *rest)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, in_thread, rest) || pthread_join(thread, NULL))
		errx(1, "no thread");
}

static void print(const char *name, const long *e, char **word, int costs)
{
	long long c[2];

	for (int i = 0; i < 2; i++) {
		const char *text = word[2 * i + 2];

		c[i] = strcmp(text, "-") == 0 ? count[i] : atoll(text);
	}
	show(name,
	     costs ? print_costs((int)e[1], c[0], (int)e[3], c[1])
		   : print_counters((int)e[1], c[0], (int)e[3], c[1]),
	     0);
}

static void call(char *text)
{
	char *word[MOST] = {0}, *at = text;
	long e[MOST] = {0};

	if (strncmp(text, "thread:", 7) == 0) {
		make_thread(text + 7);
		return;
	}
	for (int i = 0; i < MOST && (word[i] = strsep(&at, ":")); i++)
		e[i] = atol(word[i]);
	if (strcmp(word[0], "start") == 0)
		show("start", start_counters((int)e[1], (int)e[2]), 0);
	else if (strcmp(word[0], "read") == 0)
		show("read", read_counters((int)e[1], &count[0], (int)e[2], &count[1]),
		     1);
	else if (strcmp(word[0], "raw") == 0)
		read_raw((int)e[1], (int)e[2]);
	else if (strcmp(word[0], "print") == 0 || strcmp(word[0], "costs") == 0)
		print(word[0], e, word, word[0][0] == 'c');
	else if (strcmp(word[0], "load") == 0)
		show("load", load_costs(word[1]), 0);
	else if (strcmp(word[0], "pages") == 0)
		touch(e[1]);
	else if (strcmp(word[0], "run") == 0)
		run(word[1]);
	else if (strcmp(word[0], "wait") == 0)
		await_line();
	else if (strcmp(word[0], "fork") == 0)
		in_child();
	else
		errx(2, "unknown call %s", word[0]);
}

int main(int argc, char **argv)
{
	/* The first call of printf() has page faults, which are not to be counted. */
	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("%s %d %lld\n", "calls", argc - 1, 0LL);
	for (int i = 1; i < argc; i++)
		call(argv[i]);
	return 0;
}
