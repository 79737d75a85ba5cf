/* A hash table of pointers, compared as numbers. */
#ifndef SYMBOLS_POINTERS_H
#define SYMBOLS_POINTERS_H

#include <stddef.h>
#include <stdint.h>

struct pointers_entry {
	const void *key;
	uint32_t value;
};

/* Starts as zeros. */
struct pointers {
	struct pointers_entry *list;
	size_t n, room;
};

/*
 * Return the value of a pointer that is not NULL; a new one has the value 0. The caller
 * may change the value until the next call. Returns NULL with ENOMEM.
 */
uint32_t *pointers_get(struct pointers *p, const void *key);

void pointers_free(struct pointers *p);

#endif
