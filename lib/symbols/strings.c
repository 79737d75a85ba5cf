#include "symbols/strings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_SIZE = 65536 };

struct strings_block {
	struct strings_block *next;
	size_t used, size;
	char bytes[];
};

/* Return room for n bytes, or NULL with ENOMEM. */
static char *reserve(struct strings *s, size_t n)
{
	struct strings_block *b = s->blocks;

	if (!b || b->size - b->used < n) {
		const size_t size = n > BLOCK_SIZE / 8 ? n : BLOCK_SIZE;

		b = n > SIZE_MAX / 2 ? NULL : malloc(sizeof(*b) + size);
		if (!b) {
			errno = ENOMEM;
			return NULL;
		}
		b->used = 0;
		b->size = size;
		b->next = s->blocks;
		s->blocks = b;
	}
	b->used += n;
	return b->bytes + b->used - n;
}

char *strings_copy(struct strings *s, const char *bytes, size_t n)
{
	char *const copy = reserve(s, n + 1);

	if (!copy)
		return NULL;
	memcpy(copy, bytes, n);
	copy[n] = '\0';
	return copy;
}

/* FNV-1a, 64 bits. */
static size_t hash(const char *string)
{
	uint64_t h = 0xcbf29ce484222325;

	for (; *string; string++)
		h = (h ^ (unsigned char)*string) * 0x100000001b3;
	return h ^ h >> 32;
}

/* Return the place of a string, or the empty place where it belongs. */
static const char **place(const char **table, size_t room, const char *string)
{
	size_t i = hash(string) & (room - 1);

	while (table[i] && strcmp(table[i], string) != 0)
		i = (i + 1) & (room - 1);
	return &table[i];
}

static int widen(struct strings *s)
{
	const size_t room = s->room ? 2 * s->room : 1024;
	const char **const table = calloc(room, sizeof(*table));

	if (!table)
		return -1;
	for (size_t i = 0; i < s->room; i++)
		if (s->unique[i])
			*place(table, room, s->unique[i]) = s->unique[i];
	free(s->unique);
	s->unique = table;
	s->room = room;
	return 0;
}

const char *strings_unique(struct strings *s, const char *string)
{
	if (2 * s->nunique >= s->room && widen(s))
		return NULL;

	const char **const at = place(s->unique, s->room, string);

	if (!*at) {
		*at = strings_copy(s, string, strlen(string));
		s->nunique += !!*at;
	}
	return *at;
}

void strings_free(struct strings *s)
{
	for (struct strings_block *b = s->blocks, *next; b; b = next) {
		next = b->next;
		free(b);
	}
	free(s->unique);
	*s = (struct strings){0};
}
