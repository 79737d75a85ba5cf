#include "symbols/cursor.h"

#include <string.h>

struct cursor cursor_at(const struct section *s, uint64_t offset)
{
	struct cursor c = {.s = s, .end = s->size};

	cursor_skip(&c, offset);
	return c;
}

int cursor_is_past(const struct cursor *c)
{
	return c->at > c->end;
}

void cursor_skip(struct cursor *c, uint64_t n)
{
	c->at = !cursor_is_past(c) && n <= c->end - c->at ? c->at + n : c->end + 1;
}

uint64_t cursor_number(struct cursor *c, unsigned bytes)
{
	const size_t at = c->at;
	uint64_t v = 0;

	cursor_skip(c, bytes);
	for (unsigned i = 0; i < bytes && !cursor_is_past(c); i++) {
		const unsigned place = c->s->is_big_endian ? bytes - 1 - i : i;

		v |= (uint64_t)c->s->bytes[at + i] << 8 * place;
	}
	return v;
}

/* Read a number; *bits gets how many bits it has. */
static uint64_t leb(struct cursor *c, unsigned *bits)
{
	uint64_t v = 0;
	unsigned byte = 0x80;

	*bits = 0;
	while (byte & 0x80 && c->at < c->end) {
		byte = c->s->bytes[c->at++];
		v |= *bits < 64 ? (uint64_t)(byte & 0x7f) << *bits : 0;
		*bits += 7;
	}
	if (byte & 0x80)
		cursor_skip(c, UINT64_MAX);
	return cursor_is_past(c) ? 0 : v;
}

uint64_t cursor_leb(struct cursor *c)
{
	unsigned bits;

	return leb(c, &bits);
}

int64_t cursor_sleb(struct cursor *c)
{
	unsigned bits;
	const uint64_t v = leb(c, &bits);

	return bits && bits < 64 && v >> (bits - 1) ? v | ~(uint64_t)0 << bits : v;
}

const char *cursor_string(struct cursor *c, size_t limit)
{
	const size_t left = cursor_is_past(c) ? 0 : c->end - c->at;
	const char *const s = left ? (const char *)c->s->bytes + c->at : NULL;
	const size_t n = left ? strnlen(s, left < limit ? left : limit) : 0;

	if (n == left || n == limit) {
		cursor_skip(c, UINT64_MAX);
		return NULL;
	}
	c->at += n + 1;
	return s;
}
