/* Copies of strings that are freed together. */
#ifndef SYMBOLS_STRINGS_H
#define SYMBOLS_STRINGS_H

#include <stddef.h>
#include <stdint.h>

struct strings_block;

/* Starts as zeros. */
struct strings {
	struct strings_block *blocks; /* the one in use first */
	const char **unique;	      /* a hash table of strings_unique() */
	size_t nunique, room;
};

/*
 * Copy n bytes and add a NUL. The copy lives until strings_free(). Returns NULL with
 * ENOMEM.
 */
char *strings_copy(struct strings *s, const char *bytes, size_t n);

/* Return a copy of a string, the same pointer for equal strings; or NULL with ENOMEM. */
const char *strings_unique(struct strings *s, const char *string);

void strings_free(struct strings *s);

#endif
