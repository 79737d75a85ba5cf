/*
 * Covering a range of addresses with pairs of debug registers, each of which is good for
 * an aligned block of a power of two.
 */
#ifndef ITANIUM2_COVER_H
#define ITANIUM2_COVER_H

#include <stdint.h>

enum { ITA2_PAIRS = 4 };

/* 2^log2 bytes: those that have the bits of addr from bit log2 on. log2 is at most 56. */
struct ita2_block {
	uint64_t addr;
	unsigned log2;
};

/*
 * Blocks that cover [start, end), start < end, with at most n of the ITA2_PAIRS pairs, as
 * closely as libpfm 3 does it; where that leaves a part of the range out, two blocks or
 * one that cover more. Gives how many there are; 0: so few pairs cannot cover it.
 */
unsigned ita2_cover(uint64_t start, uint64_t end, unsigned n,
		    struct ita2_block block[ITA2_PAIRS]);

/* The smallest block around [start, end), start < end. -1: none is large enough. */
int ita2_enclose(uint64_t start, uint64_t end, struct ita2_block *block);

#endif
