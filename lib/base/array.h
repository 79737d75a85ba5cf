/* Arrays that grow by one element. */
#ifndef BASE_ARRAY_H
#define BASE_ARRAY_H

#include <stddef.h>

/*
 * Make room for one more element at the end of an array of n elements of size bytes.
 * array points to the pointer to the first element. That pointer may be NULL if n is 0;
 * else it is memory that this function has returned for the array. The room doubles each
 * time that it is full. Returns 0; or -1 with ENOMEM, the array is unchanged then.
 */
int array_grow(void *array, size_t n, size_t size);

#endif
