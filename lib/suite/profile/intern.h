/* Strings with numbers: each different string has one, in the order of first use. */
#ifndef SUITE_PROFILE_INTERN_H
#define SUITE_PROFILE_INTERN_H

#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

/* Starts as zeros. */
struct intern {
	size_t n, size; /* strings; places of the hash table, 0 or a power of 2 */
	char **string;
	size_t *place; /* number of the string + 1, or 0 */
	int failed;    /* 1: an allocation has failed */
};

/* Return the number of a string; 0 if memory ran out. */
size_t intern(struct intern *t, const char *s);

/* Return the number of the text in b, and make b empty. */
size_t intern_text(struct intern *t, struct textbuf *b);

void intern_free(struct intern *t);

#endif
