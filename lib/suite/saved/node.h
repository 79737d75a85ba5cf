/*
 * The values of a JSON text (RFC 8259), as an array in the order of the text: behind an
 * object or an array are the values in it. Functions that take a value take NULL, too,
 * which has no members, no elements and no number.
 */
#ifndef SUITE_SAVED_NODE_H
#define SUITE_SAVED_NODE_H

#include <stddef.h>
#include <stdint.h>

enum node_kind {
	NODE_NULL,
	NODE_FALSE,
	NODE_TRUE,
	NODE_INTEGER, /* from 0 to 2^64-1, exactly */
	NODE_REAL,    /* each other number */
	NODE_STRING,
	NODE_ARRAY,
	NODE_OBJECT
};

struct saved_node {
	const char *key; /* of a member of an object, else NULL */
	union {
		const char *string;
		uint64_t integer;
		double real;
	};
	enum node_kind kind;
	uint32_t n;	/* the number of members or elements */
	uint32_t nodes; /* of this value: itself and all values in it */
	uint32_t at;	/* the place of its first byte in the text */
};

/* Returns the member of an object with this key, or NULL. */
const struct saved_node *saved_member(const struct saved_node *object, const char *key);

/* Returns the number of elements; 0 if the value is no array. */
size_t saved_size(const struct saved_node *array);

/*
 * Returns element i, which takes a time in proportion to i if there are arrays or objects
 * in the array; or NULL.
 */
const struct saved_node *saved_element(const struct saved_node *array, size_t i);

/* Return the first element or member, and the one after a value of them; or NULL. */
const struct saved_node *saved_first(const struct saved_node *array);
const struct saved_node *saved_first_member(const struct saved_node *object);
const struct saved_node *saved_next(const struct saved_node *all,
				    const struct saved_node *value);

/* Return whether there is a value of the kind, or a number. */
int saved_is(const struct saved_node *v, enum node_kind kind);
int saved_is_number(const struct saved_node *v);

/* Returns the string, or NULL if the value is none. */
const char *saved_string(const struct saved_node *v);

/* Returns the number, rounded if it is a large integer, or 0 if the value is none. */
double saved_real(const struct saved_node *v);

/* Store a number from 0 to most without a fraction. Returns 0, or -1 if it is none. */
int saved_value(const struct saved_node *v, uint64_t most, uint64_t *number);

/* The same of a member; and whether it is true. */
const char *saved_text(const struct saved_node *object, const char *key);
int saved_number(const struct saved_node *object, const char *key, uint64_t most,
		 uint64_t *number);
int saved_is_true(const struct saved_node *object, const char *key);

/*
 * Returns a copy of a value and all values in it, which free(3) frees; or NULL with
 * ENOMEM.
 */
struct saved_node *saved_copy(const struct saved_node *v);

#endif
