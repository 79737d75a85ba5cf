/* Sections of debug information that tests write piece by piece. */
#ifndef SYMBOLS_BYTES_H
#define SYMBOLS_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct bytes {
	uint8_t byte[2048];
	size_t n;
};

/* Append a number of n bytes, the lowest first. */
static void put(struct bytes *b, uint64_t v, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		b->byte[b->n++] = (uint8_t)(v >> 8 * i);
}

/* Fill the four bytes at an offset by the length of what follows them. */
static void end(struct bytes *b, size_t at)
{
	const size_t size = b->n - at - 4;

	for (unsigned i = 0; i < 4; i++)
		b->byte[at + i] = (uint8_t)(size >> 8 * i);
}

#endif
