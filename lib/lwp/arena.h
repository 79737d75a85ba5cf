/* Memory of a recording, which is freed at once. */
#ifndef LWP_ARENA_H
#define LWP_ARENA_H

#include <stddef.h>

/*
 * Allocate n elements of size bytes, all zeros; n may be 0. *arena is NULL at first.
 * Returns NULL with ENOMEM.
 */
void *arena_alloc(void **arena, size_t n, size_t size);

/* Free all memory, and make *arena NULL. */
void arena_free(void **arena);

#endif
