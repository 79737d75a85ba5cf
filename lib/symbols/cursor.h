/* Bytes of a section that are read in order. */
#ifndef SYMBOLS_CURSOR_H
#define SYMBOLS_CURSOR_H

#include <stddef.h>
#include <stdint.h>

/* The bytes of a section. */
struct section {
	const uint8_t *bytes;
	size_t size;
	int is_big_endian;
};

/* Past the end, at is more than size, and all that is read is 0. */
struct cursor {
	const struct section *s;
	size_t at;
	size_t end; /* at most the size of the section */
};

/* Return a cursor at an offset of a section, up to its end. */
struct cursor cursor_at(const struct section *s, uint64_t offset);

/* Return 1 if more was read than there is. */
int cursor_is_past(const struct cursor *c);

void cursor_skip(struct cursor *c, uint64_t n);

/* Read an integer of 1 to 8 bytes. */
uint64_t cursor_number(struct cursor *c, unsigned bytes);

/* Read a number of the variable length that DWARF calls LEB128, without and with sign. */
uint64_t cursor_leb(struct cursor *c);
int64_t cursor_sleb(struct cursor *c);

/* Read a string; NULL if it does not end or if it has limit bytes or more. */
const char *cursor_string(struct cursor *c, size_t limit);

/*
 * Return the size of the table of abbreviations at an offset; or 0 if it is malformed or
 * has an abbreviation with so many attributes that libdw could work for hours.
 */
size_t abbrev_size(const struct section *s, uint64_t offset);

/* Return 0 if all tables of a section can be read, else -1. */
int abbrev_check(const struct section *s);

#endif
