/*
 * shared EVENT: a client that binds one set in four OpenMP threads at the same time. Each
 * calls step() 10, 20, 30 or 40 times, and prints "thread count", or the error. A thread
 * that has not bound the set tries to sample it, too.
 */
#include <libcpc.h>

#include <errno.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { THREADS = 4, ROUNDS = 50 };

static cpc_t *cpc;
static cpc_set_t *set;

static __attribute__((noinline, aligned(64))) void step(void)
{
	__asm__ volatile("" ::: "memory");
}

/* Returns what the calling thread has counted, or -1 with errno. */
static long long count_steps(int steps)
{
	cpc_buf_t *buf = cpc_buf_create(cpc, set);
	uint64_t count;

	if (!buf || cpc_bind_curlwp(cpc, set, 0) == -1)
		return -1;
#pragma omp barrier
	while (steps-- > 0)
		step();
	const int failed = cpc_set_sample(cpc, set, buf) == -1 ||
			   cpc_buf_get(cpc, buf, 0, &count) == -1 ||
			   cpc_unbind(cpc, set) == -1;
	cpc_buf_destroy(cpc, buf);
	return failed ? -1 : (long long)count;
}

/* Each of the four threads counts in each round, and all are bound at the same time. */
static void count_in_threads(long long sum[THREADS])
{
#pragma omp parallel num_threads(THREADS)
	{
		const int i = omp_get_thread_num();

		for (int round = 0; round < ROUNDS; round++) {
			const long long count = count_steps(10 * (i + 1));

			sum[i] = count < 0 || sum[i] < 0 ? -1 : sum[i] + count;
		}
	}
}

static void *sample_without_bind(void *buf)
{
	const int rc = cpc_set_sample(cpc, set, (cpc_buf_t *)buf);

	printf("other %s\n", rc == -1 ? strerror(errno) : "sampled");
	return NULL;
}

int main(void)
{
	long long sum[THREADS] = {0, 0, 0, 0};
	char event[40];
	pthread_t other;

	snprintf(event, sizeof event, "mem:%p:x", (void *)step);
	cpc = cpc_open(CPC_VER_CURRENT);
	set = cpc_set_create(cpc);
	if (cpc_set_add_request(cpc, set, event, 0, CPC_COUNT_USER, 0, NULL) == -1)
		return 1;
	count_in_threads(sum);
	for (int i = 0; i < THREADS; i++)
		printf("%d %lld\n", i, sum[i]);
	if (cpc_bind_curlwp(cpc, set, 0) == -1 ||
	    pthread_create(&other, NULL, sample_without_bind, cpc_buf_create(cpc, set)))
		return 1;
	pthread_join(other, NULL);
	return cpc_close(cpc);
}
