#include "symbols/cursor.h"

#include <dwarf.h>
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

/* ---- Tables of abbreviations of DWARF. */

/* gcc and clang write less than 40 attributes. */
enum { MAX_ATTRIBUTES = 128 };

/* Go past the attributes of an abbreviation. Returns 0, or -1 if there are too many. */
static int skip_attributes(struct cursor *c)
{
	uint64_t attribute, form;
	unsigned n = 0;

	do {
		attribute = cursor_leb(c);
		form = cursor_leb(c);
		if (form == DW_FORM_implicit_const)
			cursor_leb(c);
		if (++n > MAX_ATTRIBUTES)
			return -1;
	} while ((attribute || form) && !cursor_is_past(c));
	return 0;
}

size_t abbrev_size(const struct section *s, uint64_t offset)
{
	struct cursor c = cursor_at(s, offset);

	/* Each abbreviation has a number, of which 0 is the end, a tag and a flag. */
	while (!cursor_is_past(&c) && cursor_leb(&c)) {
		cursor_leb(&c);
		cursor_skip(&c, 1);
		if (skip_attributes(&c))
			return 0;
	}
	return cursor_is_past(&c) ? 0 : c.at - offset;
}

int abbrev_check(const struct section *s)
{
	for (uint64_t at = 0, n; at < s->size; at += n) {
		n = abbrev_size(s, at);
		if (!n)
			return -1;
	}
	return 0;
}
