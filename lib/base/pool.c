#include "base/pool.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { SLAB_SLOTS = 32 };

struct pool_slot {
	struct pool_slot *next; /* of the free slots */
	max_align_t object[];
};

struct pool_slab {
	struct pool_slab *next;
	max_align_t slots[];
};

/* One lock for all pools, which is held for a few instructions. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int fork_error; /* of the handlers below */

static void before_fork(void)
{
	pthread_mutex_lock(&lock);
}

static void after_fork(void)
{
	pthread_mutex_unlock(&lock);
}

/* A child of fork(2) must not find the lock held by an LWP of its parent. */
static void prepare_fork(void)
{
	fork_error = pthread_atfork(before_fork, after_fork, after_fork);
}

static void append(struct pool *pool, struct pool_slot *slot)
{
	slot->next = NULL;
	if (pool->newest)
		pool->newest->next = slot;
	else
		pool->oldest = slot;
	pool->newest = slot;
	pool->nfree++;
}

static void prepend(struct pool *pool, struct pool_slot *slot)
{
	slot->next = pool->oldest;
	pool->oldest = slot;
	if (!pool->newest)
		pool->newest = slot;
	pool->nfree++;
}

static size_t slot_size(const struct pool *pool)
{
	const size_t align = _Alignof(max_align_t);

	return sizeof(struct pool_slot) + (pool->size + align - 1) / align * align;
}

/* Add slots that were never used, which are the first to be taken. */
static void grow(struct pool *pool)
{
	const size_t size = slot_size(pool);
	struct pool_slab *slab = calloc(1, sizeof *slab + SLAB_SLOTS * size);

	if (!slab)
		return;
	slab->next = pool->slabs;
	pool->slabs = slab;
	for (unsigned i = SLAB_SLOTS; i-- > 0;)
		prepend(pool, (struct pool_slot *)((char *)slab->slots + i * size));
}

static struct pool_slot *take(struct pool *pool)
{
	struct pool_slot *slot = pool->oldest;

	if (slot) {
		pool->oldest = slot->next;
		if (!pool->oldest)
			pool->newest = NULL;
		pool->nfree--;
	}
	return slot;
}

void *pool_get(struct pool *pool)
{
	pthread_once(&once, prepare_fork);
	if (fork_error) {
		errno = fork_error;
		return NULL;
	}
	pthread_mutex_lock(&lock);
	if (pool->nfree <= POOL_RESERVE)
		grow(pool);
	struct pool_slot *slot = take(pool);
	pthread_mutex_unlock(&lock);
	return slot ? slot->object : NULL;
}

void pool_put(struct pool *pool, void *object)
{
	struct pool_slot *slot =
		(struct pool_slot *)((char *)object - offsetof(struct pool_slot, object));

	memset(object, 0, pool->size);
	pthread_mutex_lock(&lock);
	append(pool, slot);
	pthread_mutex_unlock(&lock);
}
