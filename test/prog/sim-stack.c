/*
 * sim-stack MB [thread]: recursion that needs this many megabytes of stack, in the main
 * thread or in another one, which has a stack of the default size.
 */
#include <err.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MB = 1 << 20 };

static __attribute__((noinline)) long deeper(long depth)
{
	volatile char room[MB];

	memset((char *)room, 1, sizeof room);
	return depth > 1 ? deeper(depth - 1) + room[depth] : room[0];
}

static void *thread(void *arg)
{
	return (void *)deeper((long)arg);
}

int main(int argc, char **argv)
{
	const long depth = argc > 1 ? atol(argv[1]) : 0;
	pthread_t t;
	void *sum;

	if (depth < 1)
		errx(2, "usage: sim-stack MB [thread]");
	if (argc == 2) {
		printf("%ld\n", deeper(depth));
		return 0;
	}
	if (pthread_create(&t, NULL, thread, (void *)depth) || pthread_join(t, &sum))
		err(1, "thread");
	printf("%ld\n", (long)sum);
	return 0;
}
