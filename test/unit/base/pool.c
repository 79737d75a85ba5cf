#include "base/pool.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

struct thing {
	long word;
	char rest[45];
};

static const struct thing zero;

static void freed_objects_are_zero(void **state)
{
	static struct pool pool = {.size = sizeof(struct thing)};
	struct thing *a = pool_get(&pool), *b = pool_get(&pool);

	(void)state;
	assert_non_null(a);
	assert_non_null(b);
	assert_int_equal((uintptr_t)a % _Alignof(max_align_t), 0);
	assert_int_equal((uintptr_t)b % _Alignof(max_align_t), 0);
	assert_memory_equal(a, &zero, sizeof zero);
	memset(a, 0xff, sizeof *a);
	assert_memory_equal(b, &zero, sizeof zero);
	pool_put(&pool, a);
	assert_memory_equal(a, &zero, sizeof zero);
	pool_put(&pool, b);
}

/* Counts how many others are freed before a new object takes the place of a freed one. */
static void places_are_not_reused_at_once(void **state)
{
	enum { LIVE = 200 };
	static struct pool pool = {.size = sizeof(struct thing)};
	struct thing *live[LIVE];

	(void)state;
	for (unsigned n = 0; n < LIVE; n++) {
		struct thing *first = pool_get(&pool);

		pool_put(&pool, first);
		for (unsigned i = 0; i < POOL_RESERVE; i++) {
			struct thing *other = pool_get(&pool);

			assert_ptr_not_equal(other, first);
			pool_put(&pool, other);
		}
		live[n] = pool_get(&pool);
		live[n]->word = n;
	}
	for (unsigned n = 0; n < LIVE; n++)
		assert_int_equal(live[n]->word, n);
}

static void memory_is_reused(void **state)
{
	static struct pool pool = {.size = sizeof(struct thing)};
	uintptr_t lowest = UINTPTR_MAX, highest = 0;

	(void)state;
	for (unsigned i = 0; i < 1000000; i++) {
		void *thing = pool_get(&pool);

		lowest = (uintptr_t)thing < lowest ? (uintptr_t)thing : lowest;
		highest = (uintptr_t)thing > highest ? (uintptr_t)thing : highest;
		pool_put(&pool, thing);
	}
	assert_in_range(highest - lowest, 0, 64 * 2 * sizeof(struct thing));
}

static int no_memory; /* malloc(3) fails */

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);

void *__wrap_malloc(size_t size)
{
	return no_memory ? NULL : __real_malloc(size);
}

/* When memory has run out, the free objects are used to the last, and then again. */
static void the_last_object_is_used(void **state)
{
	static struct pool pool = {.size = sizeof(struct thing)};
	struct thing *thing[1000];
	unsigned n = 0;

	(void)state;
	thing[n++] = pool_get(&pool);
	assert_non_null(thing[0]);
	no_memory = 1;
	while ((thing[n] = pool_get(&pool)))
		n++;
	assert_true(n > 1);
	for (int i = 0; i < 2; i++) {
		pool_put(&pool, thing[0]);
		pool_put(&pool, thing[1]);
		assert_ptr_equal(pool_get(&pool), thing[0]);
		assert_ptr_equal(pool_get(&pool), thing[1]);
		assert_null(pool_get(&pool));
	}
	no_memory = 0;
	assert_non_null(pool_get(&pool));
}

static struct pool shared = {.size = sizeof(struct thing)};
static int stop;

static void *use(void *arg)
{
	(void)arg;
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		struct thing *thing = pool_get(&shared);

		thing->word = 1;
		pool_put(&shared, thing);
	}
	return NULL;
}

/* A child that waits for a lock for ever is killed by the alarm. */
static void children_can_use_pools(void **state)
{
	enum { THREADS = 4, CHILDREN = 200 };
	pthread_t thread[THREADS];
	int status;

	(void)state;
	for (unsigned i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, use, NULL), 0);
	for (unsigned i = 0; i < CHILDREN; i++) {
		const pid_t pid = fork();

		assert_true(pid >= 0);
		if (pid == 0) {
			alarm(20);
			struct thing *thing = pool_get(&shared);
			const int bad = !thing || thing->word != 0;
			pool_put(&shared, thing);
			_exit(bad);
		}
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_int_equal(status, 0);
	}
	__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
	for (unsigned i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(freed_objects_are_zero),
		cmocka_unit_test(places_are_not_reused_at_once),
		cmocka_unit_test(memory_is_reused),
		cmocka_unit_test(the_last_object_is_used),
		cmocka_unit_test(children_can_use_pools),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
