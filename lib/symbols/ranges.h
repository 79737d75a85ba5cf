/* Ranges of addresses that may overlap, and a fast search for the range of an address. */
#ifndef SYMBOLS_RANGES_H
#define SYMBOLS_RANGES_H

#include <stddef.h>
#include <stdint.h>

/* The bytes from start to end - 1. Where ranges overlap, see ranges_finish(). */
struct range {
	uint64_t start, end;
	uint32_t value, rank;
};

/* Starts as zeros. */
struct ranges {
	struct range *list; /* until ranges_finish() */
	size_t n;
	uint64_t *starts; /* of pieces that do not overlap, sorted */
	uint32_t *values;
	size_t npieces;
};

/* The value of an address that is in no range. */
enum { RANGES_NONE = 0xffffffff };

/* Add a range; an empty one is ignored. Returns 0, or -1 with ENOMEM. */
int ranges_add(struct ranges *r, uint64_t start, uint64_t end, uint32_t value,
	       uint32_t rank);

/*
 * Cut the ranges into pieces that do not overlap. An address belongs to the range that
 * starts last; of those, to the shortest; of those, to that of the highest rank. Ranges
 * cannot be added later. Returns 0, or -1 with ENOMEM.
 */
int ranges_finish(struct ranges *r);

/* Return the value of the range that the address belongs to, or RANGES_NONE. */
uint32_t ranges_find(const struct ranges *r, uint64_t address);

void ranges_free(struct ranges *r);

#endif
