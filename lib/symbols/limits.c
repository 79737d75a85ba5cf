#include "symbols/limits.h"

#include <dwarf.h>
#include <string.h>

/* gcc and clang write less than 40 attributes. */
enum { MAX_ATTRIBUTES = 128, MAX_FORMATS = 16 };

/* Bytes that are read in order; past the end, at is more than the size. */
struct cursor {
	const struct section *s;
	size_t at;
	int is_64; /* offsets have 8 bytes */
};

static int is_past(const struct cursor *c)
{
	return c->at > c->s->size;
}

static void skip(struct cursor *c, uint64_t n)
{
	c->at = !is_past(c) && n <= c->s->size - c->at ? c->at + n : c->s->size + 1;
}

/* Read an integer of 1 to 8 bytes; 0 past the end. */
static uint64_t number(struct cursor *c, unsigned bytes)
{
	const size_t at = c->at;
	uint64_t v = 0;

	skip(c, bytes);
	for (unsigned i = 0; i < bytes && !is_past(c); i++) {
		const unsigned place = c->s->is_big_endian ? bytes - 1 - i : i;

		v |= (uint64_t)c->s->bytes[at + i] << 8 * place;
	}
	return v;
}

/* Read a number of the variable length that DWARF calls LEB128, without sign. */
static uint64_t leb(struct cursor *c)
{
	uint64_t v = 0, byte = 0x80;

	for (unsigned shift = 0; byte & 0x80 && !is_past(c); shift += 7) {
		byte = number(c, 1);
		v |= shift < 64 ? (byte & 0x7f) << shift : 0;
	}
	return v;
}

size_t limits_abbrev(const struct section *s, uint64_t offset)
{
	struct cursor c = {.s = s};

	skip(&c, offset);
	while (!is_past(&c)) {
		uint64_t attribute, form;
		unsigned n = 0;

		if (!leb(&c))
			break;
		leb(&c);
		number(&c, 1);
		do {
			attribute = leb(&c);
			form = leb(&c);
			if (form == DW_FORM_implicit_const)
				leb(&c);
			if (++n > MAX_ATTRIBUTES)
				return 0;
		} while ((attribute || form) && !is_past(&c));
	}
	return is_past(&c) ? 0 : c.at - offset;
}

/* Return the length of the string at an offset, or LIMITS_NAME if it is longer. */
static size_t length_at(const struct section *s, uint64_t offset)
{
	return offset < s->size
		       ? strnlen((const char *)s->bytes + offset,
				 s->size - offset < LIMITS_NAME ? s->size - offset
								: LIMITS_NAME)
		       : LIMITS_NAME;
}

/* The names of a header: how many there are, and the length of the longest. */
struct names {
	uint64_t n;
	size_t longest;
};

static void see_name(struct names *names, size_t length)
{
	if (length > names->longest)
		names->longest = length;
}

/* Versions 2 to 4: strings up to an empty one, each followed by as many numbers. */
static void read_names(struct cursor *c, struct names *names, unsigned numbers)
{
	while (!is_past(c)) {
		const size_t length = length_at(c->s, c->at);

		skip(c, length + 1);
		if (!length || length == LIMITS_NAME)
			break;
		for (unsigned i = 0; i < numbers; i++)
			leb(c);
		see_name(names, length);
		names->n++;
	}
}

/* Where the strings of version 5 are. */
struct string_sections {
	const struct section *line_str, *str;
};

/* Go past a value of an entry of version 5. Returns the length of a string, else 0. */
static size_t read_form(struct cursor *c, uint64_t form,
			const struct string_sections *strings)
{
	size_t length = 0;

	switch (form) {
	case DW_FORM_string:
		length = length_at(c->s, c->at);
		skip(c, length + 1);
		break;
	case DW_FORM_line_strp:
		length = length_at(strings->line_str, number(c, c->is_64 ? 8 : 4));
		break;
	case DW_FORM_strp:
		length = length_at(strings->str, number(c, c->is_64 ? 8 : 4));
		break;
	case DW_FORM_udata:
		leb(c);
		break;
	case DW_FORM_data1:
		skip(c, 1);
		break;
	case DW_FORM_data2:
		skip(c, 2);
		break;
	case DW_FORM_data4:
		skip(c, 4);
		break;
	case DW_FORM_data8:
		skip(c, 8);
		break;
	case DW_FORM_data16:
		skip(c, 16);
		break;
	case DW_FORM_block:
		skip(c, leb(c));
		break;
	default:
		skip(c, UINT64_MAX);
	}
	return length;
}

/* Version 5: the formats of an entry, the number of entries, the entries. */
static void read_entries(struct cursor *c, struct names *names,
			 const struct string_sections *strings)
{
	uint64_t form[MAX_FORMATS];
	const unsigned nformats = number(c, 1);

	if (nformats > MAX_FORMATS)
		skip(c, UINT64_MAX);
	for (unsigned i = 0; i < nformats && !is_past(c); i++) {
		leb(c);
		form[i] = leb(c);
	}
	for (uint64_t n = leb(c); n && !is_past(c); n--) {
		const size_t before = c->at;

		for (unsigned i = 0; i < nformats && !is_past(c); i++)
			see_name(names, read_form(c, form[i], strings));
		names->n++;
		/* Entries without bytes could be without number. */
		if (c->at == before)
			skip(c, UINT64_MAX);
	}
}

/* Read the header behind its first length. Returns 0, or -1 if it is malformed. */
static int read_header(struct cursor *c, struct names *dirs, struct names *files,
		       const struct string_sections *strings)
{
	const unsigned version = number(c, 2);

	if (version < 2 || version > 5)
		return -1;
	if (version == 5)
		skip(c, 2);
	skip(c, c->is_64 ? 8 : 4);
	skip(c, version >= 4 ? 5 : 4);

	const unsigned opcode_base = number(c, 1);

	skip(c, opcode_base ? opcode_base - 1 : 0);
	if (version == 5) {
		read_entries(c, dirs, strings);
		read_entries(c, files, strings);
	} else {
		read_names(c, dirs, 0);
		read_names(c, files, 3);
	}
	return is_past(c) ? -1 : 0;
}

size_t limits_lines(const struct section *s, uint64_t offset, size_t comp_dir,
		    const struct section *line_str, const struct section *str)
{
	const struct string_sections strings = {line_str, str};
	struct names dirs = {0}, files = {0};
	struct cursor c = {.s = s};

	skip(&c, offset);

	uint64_t length = number(&c, 4);

	if (length == 0xffffffff) {
		c.is_64 = 1;
		length = number(&c, 8);
	}
	if (is_past(&c) || length > s->size - c.at)
		return 0;

	const size_t end = c.at + length;

	if (read_header(&c, &dirs, &files, &strings) || c.at > end)
		return 0;

	/* A file of a thousand headers has names of 100 kB; a page is the least. */
	const uint64_t bytes =
		(dirs.n + files.n) * (comp_dir + dirs.longest + files.longest);

	if (comp_dir >= LIMITS_NAME || dirs.longest >= LIMITS_NAME ||
	    files.longest >= LIMITS_NAME || bytes > 256 * length + 65536)
		return 0;
	return end - offset;
}
