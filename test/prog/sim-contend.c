/*
 * sim-contend MODE THREADS N: threads that share memory, or wait for each other.
 *
 * words: each thread stores N times to its own word; the words are neighbours.
 * padded: as words, but each word is in a line of its own.
 * atomic: the threads add 1 to one word, N times each.
 * mutex: as atomic, with a mutex. spin: as atomic; each waits until it is its turn.
 * yield: as spin; a waiting thread calls sched_yield(2).
 * barrier, condvar, rwlock, pipe: N rounds of work between calls of that kind.
 * churn: N times, THREADS threads that live for a short time. idle: no work.
 */
#include <err.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_THREADS = 1000, FAR = 512 / sizeof(long), QUEUE = 64 };

static struct {
	volatile long word[MAX_THREADS * FAR];
} shared __attribute__((aligned(4096)));
static atomic_long counter __attribute__((aligned(4096)));
static long threads, rounds;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t barrier;
static long queue[QUEUE], head, tail, sum;
static int to[MAX_THREADS][2]; /* a pipe to each thread */

static unsigned long work(unsigned long x, long steps)
{
	while (steps-- > 0) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
	}
	return x;
}

static void words(long me)
{
	for (long i = 0; i < rounds; i++)
		shared.word[me] = i;
}

static void padded(long me)
{
	for (long i = 0; i < rounds; i++)
		shared.word[me * FAR] = i;
}

static void atomic(long me)
{
	(void)me;
	for (long i = 0; i < rounds; i++)
		atomic_fetch_add(&counter, 1);
}

static void with_mutex(long me)
{
	(void)me;
	for (long i = 0; i < rounds; i++) {
		pthread_mutex_lock(&mutex);
		sum++;
		pthread_mutex_unlock(&mutex);
	}
}

static void spin(long me)
{
	for (long i = 0; i < rounds; i++) {
		while (counter % threads != me)
			;
		counter++;
	}
}

static void yield(long me)
{
	for (long i = 0; i < rounds; i++) {
		while (counter % threads != me)
			sched_yield();
		counter++;
	}
}

static void with_barrier(long me)
{
	for (long i = 0; i < rounds; i++) {
		sum += work(me + 1, 200 + 37 * me) & 1;
		pthread_barrier_wait(&barrier);
	}
}

static void produce(void)
{
	pthread_mutex_lock(&mutex);
	while (tail - head == QUEUE)
		pthread_cond_wait(&not_full, &mutex);
	queue[tail % QUEUE] = tail;
	tail++;
	pthread_cond_signal(&not_empty);
	pthread_mutex_unlock(&mutex);
}

static void consume(void)
{
	pthread_mutex_lock(&mutex);
	while (tail == head)
		pthread_cond_wait(&not_empty, &mutex);
	sum += queue[head++ % QUEUE];
	pthread_cond_signal(&not_full);
	pthread_mutex_unlock(&mutex);
}

static void condvar(long me)
{
	for (long i = 0; i < rounds; i++) {
		if (me & 1)
			produce();
		else
			consume();
		work(me + 1, 50);
	}
}

static void with_rwlock(long me)
{
	for (long i = 0; i < rounds; i++) {
		if (i % 16 == me % 16)
			pthread_rwlock_wrlock(&rwlock);
		else
			pthread_rwlock_rdlock(&rwlock);
		work(me + 1, 20);
		pthread_rwlock_unlock(&rwlock);
	}
}

static void with_pipe(long me)
{
	char c = 0;

	for (long i = 0; i < rounds; i++)
		if (read(to[me][0], &c, 1) != 1 ||
		    write(to[(me + 1) % threads][1], &c, 1) != 1)
			err(1, "pipe");
}

static void churn(long me)
{
	sum += work(me + 1, 1000) & 1;
}

static void idle(long me)
{
	(void)me;
}

static const struct mode {
	const char *name;
	void (*run)(long me);
} modes[] = {
	{"words", words},	   {"padded", padded},	 {"atomic", atomic},
	{"mutex", with_mutex},	   {"spin", spin},	 {"yield", yield},
	{"barrier", with_barrier}, {"condvar", condvar}, {"rwlock", with_rwlock},
	{"pipe", with_pipe},	   {"churn", churn},	 {"idle", idle},
};
static const struct mode *mode;

static void *thread(void *arg)
{
	mode->run((long)(intptr_t)arg);
	return NULL;
}

static void run_threads(void)
{
	pthread_t t[MAX_THREADS];

	for (long i = 0; i < threads; i++)
		if (pthread_create(&t[i], NULL, thread, (void *)(intptr_t)i))
			err(1, "pthread_create");
	if (mode->run == with_pipe && write(to[0][1], "", 1) != 1)
		err(1, "write");
	for (long i = 0; i < threads; i++)
		pthread_join(t[i], NULL);
}

int main(int argc, char **argv)
{
	for (size_t i = 0; argc == 4 && i < sizeof modes / sizeof modes[0]; i++)
		if (!strcmp(argv[1], modes[i].name))
			mode = &modes[i];
	if (!mode)
		errx(2, "usage: sim-contend MODE THREADS N");
	alarm(300);
	threads = atol(argv[2]);
	rounds = atol(argv[3]);
	if (threads < 1 || threads > MAX_THREADS ||
	    pthread_barrier_init(&barrier, NULL, (unsigned)threads))
		errx(2, "bad number of threads");
	for (long i = 0; mode->run == with_pipe && i < threads; i++)
		if (pipe(to[i]))
			err(1, "pipe");
	for (long i = 0; i < (mode->run == churn ? rounds : 1); i++)
		run_threads();
	return 0;
}
