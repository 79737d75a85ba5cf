/*
 * Counting another LWP of this process (cpc_bind_tid).
 */
#include <opencpc.h>

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "breakpoints.h"
#include "reported.h"

enum { USER = CPC_COUNT_USER, HITS = 123 };

/* The function whose executions are counted. */
__attribute__((noinline, aligned(64))) static void hit(void)
{
	__asm__ volatile("" ::: "memory");
}

static sem_t known, go;
static pid_t other;

static void *live(void *arg)
{
	other = gettid();
	sem_post(&known);
	sem_wait(&go);
	for (unsigned i = 0; i < HITS; i++)
		hit();
	return arg;
}

static cpc_set_t *make_set(cpc_t *cpc, uint_t flags)
{
	cpc_set_t *set = cpc_set_create(cpc);
	char event[64];

	snprintf(event, sizeof event, "mem:%#lx:x", (unsigned long)hit);
	assert_int_equal(cpc_set_add_request(cpc, set, event, 0, USER | flags, 0, NULL),
			 0);
	return set;
}

static uint64_t count_of(cpc_t *cpc, cpc_set_t *set)
{
	cpc_buf_t *buf = cpc_buf_create(cpc, set);
	uint64_t n;

	assert_int_equal(cpc_set_sample(cpc, set, buf), 0);
	assert_int_equal(cpc_buf_get(cpc, buf, 0, &n), 0);
	cpc_buf_destroy(cpc, buf);
	return n;
}

/* Two sets count the LWP, which ends before the samples; the caller has its own set. */
static void counts_another_lwp(void **state)
{
	pthread_t thread;

	(void)state;
	need_breakpoints();
	cpc_t *cpc = cpc_open(CPC_VER_CURRENT);
	cpc_set_t *set = make_set(cpc, 0), *second = make_set(cpc, 0),
		  *own = make_set(cpc, 0);
	assert_int_equal(cpc_bind_curlwp(cpc, own, 0), 0);
	sem_init(&known, 0, 0);
	sem_init(&go, 0, 0);
	assert_int_equal(pthread_create(&thread, NULL, live, NULL), 0);
	sem_wait(&known);
	assert_int_equal(cpc_bind_tid(cpc, other, set, 0), 0);
	assert_int_equal(cpc_bind_tid(cpc, other, second, 0), 0);
	hit();
	assert_int_equal(count_of(cpc, set), 0);
	sem_post(&go);
	pthread_join(thread, NULL);
	assert_int_equal(count_of(cpc, set), HITS);
	assert_int_equal(count_of(cpc, second), HITS);
	assert_int_equal(count_of(cpc, own), 1);
	assert_int_equal(cpc_unbind(cpc, set), 0);
	FAILS(cpc_unbind(cpc, set), EINVAL);
	assert_int_equal(count_of(cpc, second), HITS);
	cpc_close(cpc);
}

enum { SAMPLERS = 8, ROUNDS = 200 };

static struct {
	cpc_t *cpc;
	cpc_set_t *set;
	int done;
} shared;

/* The counts of the other LWP never become less, whoever samples them. */
static void *sample_often(void *arg)
{
	uint64_t last = 0;

	for (int i = 0; i < ROUNDS; i++) {
		const uint64_t n = count_of(shared.cpc, shared.set);

		if (n < last || n > HITS)
			return arg;
		last = n;
	}
	__atomic_add_fetch(&shared.done, 1, __ATOMIC_RELAXED);
	return NULL;
}

/* Several LWPs sample the set while the LWP that it counts works and ends. */
static void many_sample_one_lwp(void **state)
{
	pthread_t thread, sampler[SAMPLERS];

	(void)state;
	need_breakpoints();
	shared.cpc = cpc_open(CPC_VER_CURRENT);
	shared.set = make_set(shared.cpc, 0);
	shared.done = 0;
	sem_init(&known, 0, 0);
	sem_init(&go, 0, 0);
	assert_int_equal(pthread_create(&thread, NULL, live, NULL), 0);
	sem_wait(&known);
	assert_int_equal(cpc_bind_tid(shared.cpc, other, shared.set, 0), 0);
	for (int i = 0; i < SAMPLERS; i++)
		assert_int_equal(pthread_create(&sampler[i], NULL, sample_often, NULL),
				 0);
	sem_post(&go);
	pthread_join(thread, NULL);
	for (int i = 0; i < SAMPLERS; i++)
		pthread_join(sampler[i], NULL);
	assert_int_equal(shared.done, SAMPLERS);
	assert_int_equal(count_of(shared.cpc, shared.set), HITS);
	cpc_close(shared.cpc);
}

static void refuses(void **state)
{
	(void)state;
	need_breakpoints();
	cpc_t *cpc = cpc_open_cpu(CPC_VER_CURRENT, NULL, "kernel");
	cpc_set_t *set = make_set(cpc, 0), *signals = make_set(cpc, CPC_OVF_NOTIFY_EMT);

	cpc_seterrhndlr(cpc, remember);
	FAILS(cpc_bind_tid(NULL, gettid(), set, 0), EINVAL);
	FAILS(cpc_bind_tid(cpc, gettid(), NULL, 0), EINVAL);
	FAILS(cpc_bind_tid(cpc, gettid(), set, CPC_BIND_TREE), EINVAL);
	FAILS(cpc_bind_tid(cpc, 0, set, 0), EINVAL);
	FAILS(cpc_bind_tid(cpc, -1, set, 0), EINVAL);
	/* The parent is another process. */
	FAILS(cpc_bind_tid(cpc, getppid(), set, 0), ESRCH);
	assert_int_equal(reported.calls, 0);
	FAILS(cpc_bind_tid(cpc, gettid(), signals, 0), ENOTSUP);
	assert_int_equal(reported.calls, 1);
	cpc_close(cpc);
	cpc = cpc_open_cpu(CPC_VER_CURRENT, NULL, "sim");
	cpc_seterrhndlr(cpc, remember);
	set = cpc_set_create(cpc);
	cpc_set_add_request(cpc, set, "instructions", 0, USER, 0, NULL);
	FAILS(cpc_bind_tid(cpc, gettid(), set, 0), ENOTSUP);
	assert_non_null(strstr(reported.text, "let that LWP call cpc_bind_curlwp"));
	cpc_close(cpc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_another_lwp),
		cmocka_unit_test(many_sample_one_lwp),
		cmocka_unit_test(refuses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
