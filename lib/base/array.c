#include "base/array.h"

#include <stdlib.h>
#include <string.h>

/* The room of a new array, a power of two. */
enum { FIRST_ROOM = 4 };

/* The room of an array follows from n: it is FIRST_ROOM, or the next power of two. */
int array_grow(void *array, size_t n, size_t size)
{
	const size_t room = n ? 2 * n : FIRST_ROOM;
	void *old, *grown;

	if (n && (n < FIRST_ROOM || (n & (n - 1))))
		return 0;
	memcpy(&old, array, sizeof old);
	grown = reallocarray(old, room, size);
	if (!grown)
		return -1;
	memcpy(array, &grown, sizeof grown);
	return 0;
}
