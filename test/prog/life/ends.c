/*
 * sim-ends MODE [FLAGS]: what the simulator cannot go on with, or refuses.
 *   memory        makes threads when no address space is left
 *   core          gives io_submit(2) a pointer that leads nowhere
 *   exit          asks Valgrind's core to end the process
 *   clone FLAGS   makes a process with flags of clone(2), and prints the result
 */
#include <err.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#else
#define VALGRIND_MONITOR_COMMAND(command) errx(2, "'%s' needs valgrind.h", command)
#endif

enum { STACK = 65536, THREADS = 64 };

static void *thread(void *arg)
{
	pause();
	return arg;
}

static void lack_memory(void)
{
	static char stack[THREADS][STACK] __attribute__((aligned(4096)));
	const struct rlimit little = {1 << 20, 1 << 20};
	pthread_attr_t attr;
	pthread_t t;

	pthread_attr_init(&attr);
	setrlimit(RLIMIT_AS, &little);
	for (int i = 0; i < THREADS; i++) {
		pthread_attr_setstack(&attr, stack[i], STACK);
		pthread_create(&t, &attr, thread, NULL);
	}
}

static int child(void *arg)
{
	(void)arg;
	syscall(SYS_exit, 3);
	return 3;
}

static void make_process(int flags)
{
	static char stack[STACK] __attribute__((aligned(64)));
	int status;
	const pid_t pid = clone(child, stack + sizeof(stack), flags | SIGCHLD, NULL);

	if (pid == -1) {
		printf("%s\n", strerror(errno));
		return;
	}
	if (waitpid(pid, &status, __WALL) != pid)
		err(1, "waitpid");
	printf("status %d\n", WEXITSTATUS(status));
}

int main(int argc, char **argv)
{
	const char *const mode = argc > 1 ? argv[1] : "";

	if (strcmp(mode, "memory") == 0)
		lack_memory();
	else if (strcmp(mode, "core") == 0)
		syscall(SYS_io_submit, 0, 1, 8);
	else if (strcmp(mode, "exit") == 0)
		VALGRIND_MONITOR_COMMAND("v.kill");
	else if (strcmp(mode, "clone") == 0 && argc == 3)
		make_process((int)strtol(argv[2], NULL, 16));
	else
		errx(2, "usage: sim-ends memory|core|exit|clone FLAGS");
	return 7;
}
