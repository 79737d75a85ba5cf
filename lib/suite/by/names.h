/* Names and their numbers: 0 for the first name that was seen, and so on. */
#ifndef SUITE_BY_NAMES_H
#define SUITE_BY_NAMES_H

#include <stddef.h>
#include <stdint.h>

struct names_entry {
	const char *text;
	size_t len;
	unsigned number;
	uint64_t hash; /* of the text */
};

/* Starts as zeros. */
struct names {
	struct names_entry *
		*entry; /* [n]; their text ends with a NUL that len excludes */
	unsigned n, room;
	unsigned *slot; /* [slots]: the numbers of names plus 1, by their hashes */
	unsigned slots; /* a power of two */
};

/*
 * Store the number of a name, which has len bytes. Returns 1 if the name is new, 0 if
 * not, or -1 with ENOMEM.
 */
int names_number(struct names *names, const char *text, size_t len, unsigned *number);

/* Store the number of a name that was seen. Returns 1, or 0 if it was not. */
int names_find(const struct names *names, const char *text, size_t len, unsigned *number);
void names_free(struct names *names);

#endif
