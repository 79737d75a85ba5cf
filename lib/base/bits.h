/* Registers as tables of named fields, which encode, decode and explain them. */
#ifndef BASE_BITS_H
#define BASE_BITS_H

#include <stdint.h>

struct bits_field {
	const char *name;	 /* as in the manual of the processor */
	unsigned char low, bits; /* lowest bit, and number of bits: 1 to 64 */
};

/* The array ends with a field whose name is NULL. */
struct bits_layout {
	const struct bits_field *field;
};

/* Return the value of a field of reg. */
uint64_t bits_field_get(const struct bits_field *f, uint64_t reg);

/* Return reg with a field set to the low bits of v; the other bits of v are lost. */
uint64_t bits_field_put(const struct bits_field *f, uint64_t reg, uint64_t v);

/* The same by name. Without a field of that name the result is 0, or reg unchanged. */
uint64_t bits_get(const struct bits_layout *l, uint64_t reg, const char *name);
uint64_t bits_put(const struct bits_layout *l, uint64_t reg, const char *name,
		  uint64_t v);

#endif
