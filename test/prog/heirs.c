/*
 * heirs: LWPs that inherit a set, created by pthread_create(3) or, with -fopenmp, by
 * OpenMP. Prints how many executions of a function each LWP counted: 10 for the first, 20
 * for the second, ...
 */
#include <err.h>
#include <pthread.h>
#include <stdio.h>

#include <libcpc.h>

enum { LWPS = 4 };

static cpc_t *cpc;
static cpc_set_t *set;
static cpc_buf_t *buf[LWPS];

__attribute__((noinline, aligned(64))) static void hit(void)
{
	__asm__ volatile("" ::: "memory");
}

static void count(int i)
{
	for (int n = 0; n < 10 * (i + 1); n++)
		hit();
	if (cpc_set_sample(cpc, set, buf[i]) == -1)
		warn("LWP %d", i);
}

#ifdef _OPENMP
static void all(void)
{
#pragma omp parallel for num_threads(LWPS) schedule(static, 1)
	for (int i = 0; i < LWPS; i++)
		count(i);
}
#else
static void *lwp(void *arg)
{
	count((int)(long)arg);
	return NULL;
}

static void all(void)
{
	pthread_t thread;

	count(0);
	for (long i = 1; i < LWPS; i++)
		if (pthread_create(&thread, NULL, lwp, (void *)i) ||
		    pthread_join(thread, NULL))
			errx(1, "pthread_create");
}
#endif

int main(void)
{
	char event[40];
	uint64_t val;

	snprintf(event, sizeof event, "mem:%p:x", (void *)hit);
	cpc = cpc_open(CPC_VER_CURRENT);
	set = cpc ? cpc_set_create(cpc) : NULL;
	if (!set)
		err(1, "cpc_open");
	if (cpc_set_add_request(cpc, set, event, 0, CPC_COUNT_USER, 0, NULL) == -1)
		err(1, "%s", event);
	for (int i = 0; i < LWPS; i++)
		buf[i] = cpc_buf_create(cpc, set);
	if (cpc_bind_curlwp(cpc, set, CPC_BIND_LWP_INHERIT) == -1)
		err(1, "cpc_bind_curlwp");
	all();
	for (int i = 0; i < LWPS; i++)
		if (cpc_buf_get(cpc, buf[i], 0, &val) == 0)
			printf("%d %llu\n", i, (unsigned long long)val);
	cpc_close(cpc);
	return 0;
}
