/* Arrays that grow. */
#ifndef SYMBOLS_GROW_H
#define SYMBOLS_GROW_H

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/*
 * Make room for one more element of an array: array points to the pointer to its first
 * element, *room is the number of elements that it has room for, of which n are used.
 * Returns 0, or -1 with ENOMEM.
 */
static inline int grow(void *array, size_t *room, size_t n, size_t size)
{
	void *old, *new;

	if (n < *room)
		return 0;
	memcpy(&old, array, sizeof(old));
	new = reallocarray(old, *room ? 2 * *room : 16, size);
	if (!new)
		return -1;
	memcpy(array, &new, sizeof(new));
	*room = *room ? 2 * *room : 16;
	return 0;
}

#endif
