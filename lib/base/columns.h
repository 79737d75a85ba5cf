/* The columns of a terminal that text takes. */
#ifndef BASE_COLUMNS_H
#define BASE_COLUMNS_H

#include <stddef.h>

/*
 * Return how many columns the UTF-8 character at s takes: 2 if it is wide, as Chinese,
 * Japanese and Korean characters and emoji are; 0 if it joins the character before, as
 * accents do; and 1 otherwise, also for a byte that is malformed. *len becomes the number
 * of its bytes.
 */
unsigned columns_of(const char *s, unsigned *len);

/* Return how many columns all characters of s take. */
size_t columns_text(const char *s);

#endif
