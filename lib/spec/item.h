/* Splits the text of an event specification into items, without interpreting them. */
#ifndef SPEC_ITEM_H
#define SPEC_ITEM_H

#include <stddef.h>

/* A part of the text, which must outlive it. */
struct span {
	const char *s; /* NULL: the part is missing */
	size_t len;
};

/* "key=value" or "key". The name of an event is a key even if it contains "=". */
struct item {
	struct span all, key, value;
};

/* Return the item at s. *open is its '/' without a closing '/', or NULL. */
struct item item_cut(const char *s, const char **open);

/*
 * Returns nonzero if s can be the name of an event: it has '=' only after a ':' (":c=4")
 * or inside of "/.../".
 */
int span_fits_event(struct span s);

/* Returns nonzero if s is this word. */
int span_is(struct span s, const char *word);

/* Copy s into buf as a string. Returns 0 if it does not fit into size bytes. */
int span_copy(struct span s, char *buf, size_t size);

/* Return s without the digits at its end. */
struct span span_stem(struct span s);

/* The most digits of a counter's number. */
enum { SPAN_DIGITS = 3 };

/* Return the counter number 0 to 999, without sign and leading zeros, or -1. */
int span_number(struct span s);

/* Return the precision that prints s with "%.*s": long text is cut. */
int span_shown(struct span s);

#endif
