/* Messages built in a buffer of fixed size; text that does not fit is cut off. */
#ifndef BASE_SAY_H
#define BASE_SAY_H

#include <stddef.h>
#include <stdint.h>

/* Append formatted text to the string in buf, which has room for size bytes. */
void say_add(char *buf, size_t size, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * Append the names of the members of a set as "A, B and C". Bit n of set is member n;
 * name(arg, n) returns its name.
 */
void say_set(char *buf, size_t size, uint64_t set,
	     const char *(*name)(const void *arg, unsigned member), const void *arg);

#endif
