/*
 * Cutting the text of an event specification into its items, without asking what they
 * mean.
 */
#ifndef SUITE_REQUEST_ITEM_H
#define SUITE_REQUEST_ITEM_H

#include <stddef.h>

/* A piece of the text, which must live as long. */
struct span {
	const char *s; /* NULL: not there */
	size_t len;
};

/* "key=value", or a key alone. The name of an event is one key, whatever it holds. */
struct item {
	struct span all, key, value;
};

/* The item at s. *open is a '/' in it that nothing closes, or NULL. */
struct item item_cut(const char *s, const char **open);

/*
 * An event's name holds '=' only behind a ':' (":c=4") or inside of "/.../": is that so?
 */
int span_fits_event(struct span s);

int span_is(struct span s, const char *word);

/* 0 if it does not fit into size bytes with its NUL. */
int span_copy(struct span s, char *buf, size_t size);

/* Without the digits at its end. */
struct span span_stem(struct span s);

/* A counter's number, 0..99, without sign and without zeros in front. -1: it is none. */
int span_number(struct span s);

#endif
