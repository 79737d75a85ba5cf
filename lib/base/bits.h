/*
 * Registers as tables of named fields: what encodes them, decodes them and explains them
 * goes by the same table.
 */
#ifndef BASE_BITS_H
#define BASE_BITS_H

#include <stdint.h>

struct bits_field {
	const char *name;	 /* as the processor's manual has it */
	unsigned char low, bits; /* its lowest bit, and how many there are: 1 to 64 */
};

/* Ends with a field without a name. */
struct bits_layout {
	const struct bits_field *field;
};

/* A field of a value. */
uint64_t bits_field_get(const struct bits_field *f, uint64_t reg);

/* The value with a field set to the low bits of v; the rest of v is lost. */
uint64_t bits_field_put(const struct bits_field *f, uint64_t reg, uint64_t v);

/* The same by name; 0 and the value as it was if the register has no such field. */
uint64_t bits_get(const struct bits_layout *l, uint64_t reg, const char *name);
uint64_t bits_put(const struct bits_layout *l, uint64_t reg, const char *name,
		  uint64_t v);

#endif
