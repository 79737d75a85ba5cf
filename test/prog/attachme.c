/*
 * attachme PARKED CREATORS: a program to attach to. PARKED threads sleep; CREATORS
 * threads create short-lived threads, one after another, that call hit() 1 to 9 times.
 *
 * The program prints "ready" when all threads exist. SIGUSR1 starts the comparison: each
 * parked thread calls hit() a known number of times, and threads created from then on
 * append "pid tid hits" to the file $ORACLE (threads created before append the same line
 * with "early"). At SIGTERM the creators stop, and the program exits with status 0.
 * `attachme address` prints the address of hit(), which is fixed as the program is
 * static.
 */
#include "hit.h"

#include <err.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static atomic_bool comparing, ending;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t start_comparison = PTHREAD_COND_INITIALIZER;
static sem_t done;

static pthread_t start(void *(*body)(void *), intptr_t arg)
{
	pthread_attr_t attr;
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 65536);
	pthread_t t;
	errno = pthread_create(&t, &attr, body, (void *)arg);
	if (errno)
		err(1, "thread");
	pthread_attr_destroy(&attr);
	return t;
}

static void *parked(void *arg)
{
	pthread_mutex_lock(&lock);
	while (!comparing)
		pthread_cond_wait(&start_comparison, &lock);
	pthread_mutex_unlock(&lock);
	hit_and_report((intptr_t)arg % 13 + 1);
	sem_post(&done);
	while (pause() < 0)
		;
	return NULL;
}

/* arg: number of hits; negative: created before the comparison. */
static void *short_lived(void *arg)
{
	const intptr_t n = (intptr_t)arg;
	if (n < 0)
		hit_and_report_early(-n);
	else
		hit_and_report(n);
	return NULL;
}

static void *creator(void *arg)
{
	(void)arg;
	for (int i = 0; !ending; i++)
		pthread_join(start(short_lived, comparing ? i % 9 + 1 : -(i % 9 + 1)),
			     NULL);
	return NULL;
}

static int number(const char *text)
{
	const int n = atoi(text);
	if (n < 0 || n > 10000)
		errx(2, "bad number '%s'", text);
	return n;
}

static void wait_for(int sig)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, sig);
	int got;
	sigwait(&set, &got);
}

static void block_signals(void)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGTERM);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
}

int main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "address") == 0) {
		hit_print_address();
		return 0;
	}
	if (argc != 3) {
		fprintf(stderr, "usage: attachme PARKED CREATORS\n");
		return 2;
	}
	const int nparked = number(argv[1]), ncreators = number(argv[2]);
	pthread_t *creators = calloc(ncreators + 1, sizeof(*creators));
	if (!creators)
		err(1, "creators");
	alarm(300); /* the program ends even if the test does not end it */
	block_signals();
	sem_init(&done, 0, 0);
	for (int i = 0; i < nparked; i++)
		start(parked, i);
	for (int i = 0; i < ncreators; i++)
		creators[i] = start(creator, 0);
	printf("ready\n");
	fflush(stdout);

	wait_for(SIGUSR1);
	pthread_mutex_lock(&lock);
	comparing = 1;
	pthread_cond_broadcast(&start_comparison);
	pthread_mutex_unlock(&lock);
	for (int i = 0; i < nparked; i++)
		sem_wait(&done);
	wait_for(SIGTERM);
	ending = 1;
	for (int i = 0; i < ncreators; i++)
		pthread_join(creators[i], NULL);
	free(creators);
	return 0;
}
