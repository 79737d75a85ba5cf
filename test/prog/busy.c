/*
 * busy [MS]: spend 40 ms, or as many as given, of processor time in busy_main(), then as
 * much in busy_thread() by a thread of the name "worker", and in busy_child() by a child.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define FUNCTION __attribute__((noinline))

static int64_t limit = 40;

static int64_t used_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

#define BUSY(name)                                        \
	FUNCTION void name(void);                         \
	FUNCTION void name(void)                          \
	{                                                 \
		const int64_t end = used_ms() + limit;    \
		volatile unsigned n = 0;                  \
                                                          \
		do                                        \
			for (int i = 0; i < 1000000; i++) \
				n++;                      \
		while (used_ms() < end);                  \
	}

BUSY(busy_main)
BUSY(busy_thread)
BUSY(busy_child)

static void *thread(void *arg)
{
	busy_thread();
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t;

	if (argc > 1)
		limit = atoll(argv[1]);
	busy_main();
	if (pthread_create(&t, NULL, thread, NULL))
		return 1;
	pthread_setname_np(t, "worker");
	pthread_join(t, NULL);
	const pid_t pid = fork();
	if (pid == 0) {
		busy_child();
		_exit(0);
	}
	return pid == -1 || waitpid(pid, NULL, 0) != pid;
}
