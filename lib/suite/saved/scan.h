/*
 * A scanner of JSON texts (RFC 8259) for the records of the commands, which files have by
 * the million: it allocates no memory for a text that is not larger than those before.
 */
#ifndef SUITE_SAVED_SCAN_H
#define SUITE_SAVED_SCAN_H

#include "suite/saved/node.h"

/* Starts as zeros. */
struct scan {
	struct saved_node *node; /* node[0] is the object or the array of the text */
	char *strings;		 /* to which the values point */
	size_t nodes, bytes;	 /* for which node and strings have room */
	const char *error;	 /* what is wrong with the text: "a value is missing" */
	size_t at;		 /* the byte of the text at which it is wrong, from 1 */
};

/*
 * Scan a text of len bytes, which another byte follows: a NUL. Returns 0, and the values
 * stay until the next text; or -1 with EINVAL and error and at, or with ENOMEM.
 *
 * The text is an object or an array in UTF-8. Not taken are also a key that an object has
 * twice, a string with a NUL, half of a surrogate pair, a number beyond the range of a
 * double, values in more than 2047 others, and texts of 4 GiB.
 */
int scan_text(struct scan *s, const char *text, size_t len);
void scan_free(struct scan *s);

#endif
