#include "base/bits.h"

#include <stddef.h>
#include <string.h>

static uint64_t ones(const struct bits_field *f)
{
	return UINT64_MAX >> (64 - f->bits);
}

uint64_t bits_field_get(const struct bits_field *f, uint64_t reg)
{
	return reg >> f->low & ones(f);
}

uint64_t bits_field_put(const struct bits_field *f, uint64_t reg, uint64_t v)
{
	return (reg & ~(ones(f) << f->low)) | (v & ones(f)) << f->low;
}

static const struct bits_field *find_field(const struct bits_layout *l, const char *name)
{
	for (const struct bits_field *f = l->field; f->name; f++)
		if (strcmp(f->name, name) == 0)
			return f;
	return NULL;
}

uint64_t bits_get(const struct bits_layout *l, uint64_t reg, const char *name)
{
	const struct bits_field *f = find_field(l, name);

	return f ? bits_field_get(f, reg) : 0;
}

uint64_t bits_put(const struct bits_layout *l, uint64_t reg, const char *name, uint64_t v)
{
	const struct bits_field *f = find_field(l, name);

	return f ? bits_field_put(f, reg, v) : reg;
}
