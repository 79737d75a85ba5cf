#include "base/pool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/lock.h"

enum { SLAB_SLOTS = 32 };

struct pool_slot {
	struct pool_slot *next; /* of the free slots */
	max_align_t object[];
};

struct pool_slab {
	struct pool_slab *next;
	max_align_t slots[];
};

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

static size_t slot_size(const struct pool *pool)
{
	const size_t align = _Alignof(max_align_t);

	return sizeof(struct pool_slot) + (pool->size + align - 1) / align * align;
}

/*
 * Slots are neither cleared nor linked before they are used, so that a program that needs
 * few of them does not write to all their pages.
 */
static void grow(struct pool *pool)
{
	struct pool_slab *slab = malloc(sizeof *slab + SLAB_SLOTS * slot_size(pool));

	if (!slab)
		return;
	slab->next = pool->slabs;
	pool->slabs = slab;
	pool->nunused = SLAB_SLOTS;
}

static struct pool_slot *take_unused(struct pool *pool)
{
	const size_t size = slot_size(pool), i = SLAB_SLOTS - pool->nunused--;

	return memset((char *)pool->slabs->slots + i * size, 0, size);
}

static struct pool_slot *take_oldest(struct pool *pool)
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
	const int e = lock_prepare();

	if (e) {
		errno = e;
		return NULL;
	}
	lock_hold();
	if (!pool->nunused && pool->nfree <= POOL_RESERVE)
		grow(pool);
	struct pool_slot *slot = pool->nunused ? take_unused(pool) : take_oldest(pool);
	lock_release();
	return slot ? slot->object : NULL;
}

void pool_put(struct pool *pool, void *object)
{
	struct pool_slot *slot =
		(struct pool_slot *)((char *)object - offsetof(struct pool_slot, object));

	memset(object, 0, pool->size);
	lock_hold();
	append(pool, slot);
	lock_release();
}
