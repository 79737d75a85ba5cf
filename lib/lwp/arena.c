#include "lwp/arena.h"

#include <errno.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>

struct arena_block {
	struct arena_block *next;
	alignas(max_align_t) char bytes[];
};

void *arena_alloc(void **arena, size_t n, size_t size)
{
	if (n > (SIZE_MAX / 2 - sizeof(struct arena_block)) / size) {
		errno = ENOMEM;
		return NULL;
	}
	struct arena_block *b = calloc(1, sizeof *b + n * size);
	if (!b)
		return NULL;
	b->next = *arena;
	*arena = b;
	return b->bytes;
}

void arena_free(void **arena)
{
	while (*arena) {
		struct arena_block *b = *arena;

		*arena = b->next;
		free(b);
	}
}
