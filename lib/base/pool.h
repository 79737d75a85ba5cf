/*
 * Pools of objects of one type. The memory of an object is used for objects of this type
 * until the process ends. A pointer to an object that was freed can thus still be read:
 * the object is all zero, or another object is in its place.
 */
#ifndef BASE_POOL_H
#define BASE_POOL_H

#include <stddef.h>

struct pool_slot;
struct pool_slab;

struct pool {
	size_t size; /* of an object, in bytes; the other members start as 0 */
	unsigned nfree;
	struct pool_slot *oldest, *newest; /* freed slots, by the time of their release */
	struct pool_slab *slabs;	   /* the newest first */
	unsigned nunused; /* last slots of the newest slab, which were never used */
};

/*
 * When an object is freed, at least this number of other objects are freed before a new
 * object takes its place, unless memory runs out.
 */
enum { POOL_RESERVE = 16 };

/*
 * Returns an object that is all zero, or NULL with ENOMEM. All calls may be made by
 * several threads at once, and in a child of fork(2).
 */
void *pool_get(struct pool *pool);

/* Free an object of the pool. */
void pool_put(struct pool *pool, void *object);

#endif
