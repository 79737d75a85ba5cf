/*
 * sim-threads MODE [N]: threads that use the simulated caches of several CPUs. Pipes make
 * the threads take turns, so the order of accesses does not depend on time.
 *
 * pingpong: two threads in turn add 1 to the same word, N times each.
 * reader: one thread adds 1 to the word N times, the other reads it after each time.
 * apart: as pingpong, but each thread has its own word, in another line.
 * detached: N detached threads, each created after the one before has run.
 */
#include <err.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FAR = 65536 / sizeof(long) };

static struct {
	volatile long word[2 * FAR];
} shared __attribute__((aligned(65536)));
static int to[2][2]; /* a pipe to each thread */
static long turns;
static int step;  /* distance between the words of the two threads, in words */
static int reads; /* thread 1 only reads */

static void pass(int who)
{
	if (write(to[who][1], "", 1) != 1)
		err(1, "write");
}

static void wait_turn(int who)
{
	char c;

	if (read(to[who][0], &c, 1) != 1)
		err(1, "read");
}

static void *player(void *arg)
{
	const int me = (int)(intptr_t)arg;
	volatile long *const word = &shared.word[me * step];
	long seen = 0;

	for (long i = 0; i < turns; i++) {
		wait_turn(me);
		if (me && reads)
			seen += *word;
		else
			*word += 1;
		pass(!me);
	}
	return (void *)seen;
}

static void play(void)
{
	pthread_t t[2];

	for (intptr_t i = 0; i < 2; i++)
		if (pipe(to[i]) || pthread_create(&t[i], NULL, player, (void *)i))
			err(1, "start");
	pass(0);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
}

static sem_t done;

static void *detached_thread(void *arg)
{
	(void)arg;
	sem_post(&done);
	return NULL;
}

static void detached(void)
{
	sem_init(&done, 0, 0);
	for (long i = 0; i < turns; i++) {
		pthread_t t;

		if (pthread_create(&t, NULL, detached_thread, NULL) || pthread_detach(t))
			err(1, "start");
		sem_wait(&done);
	}
}

int main(int argc, char **argv)
{
	const char *const mode = argc > 1 ? argv[1] : "";

	alarm(120);
	turns = argc > 2 ? atol(argv[2]) : 1;
	if (!strcmp(mode, "detached")) {
		detached();
		return 0;
	}
	reads = !strcmp(mode, "reader");
	step = strcmp(mode, "apart") ? 0 : FAR;
	play();
	return 0;
}
