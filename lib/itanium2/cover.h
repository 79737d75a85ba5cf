/*
 * Covers a range of addresses with pairs of debug registers. Each pair selects an aligned
 * block whose size is a power of two.
 */
#ifndef ITANIUM2_COVER_H
#define ITANIUM2_COVER_H

#include <stdint.h>

enum { ITA2_PAIRS = 4 };

/*
 * The 2^log2 bytes whose addresses have the bits of addr from bit log2 (at most 56) on.
 */
struct ita2_block {
	uint64_t addr;
	unsigned log2;
};

/*
 * Fills block[] with blocks that cover [start, end), start < end, using at most n <=
 * ITA2_PAIRS pairs. The blocks are those of libpfm 3; if these leave a part of the range
 * out, one or two larger blocks that cover more than the range. Returns the number of
 * blocks, 0 if n pairs cannot cover the range.
 */
unsigned ita2_cover(uint64_t start, uint64_t end, unsigned n,
		    struct ita2_block block[ITA2_PAIRS]);

/*
 * Stores the smallest block that contains [start, end), start < end. Returns 0, or -1 if
 * no block is large enough.
 */
int ita2_enclose(uint64_t start, uint64_t end, struct ita2_block *block);

#endif
