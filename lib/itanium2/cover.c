#include "itanium2/cover.h"

#include "itanium2/registers.h"

struct cover {
	struct ita2_block *block;
	unsigned n;
};

/* Returns 2^n, or 0 if that needs more than 64 bits. */
static uint64_t power(unsigned n)
{
	return n < 64 ? UINT64_C(1) << n : 0;
}

/* The side of the larger block that a remaining part of a range is on. */
enum side { LEFT, RIGHT };

/*
 * Adds the largest aligned block inside the range, then covers what remains on both sides
 * with the remaining pairs. The last pair must cover all that remains: its block is
 * doubled towards the far end, even to an address that is not a multiple of its size.
 * libpfm 3 has this rule, so that the registers are the same.
 */
static void cover_inside(uint64_t start, uint64_t end, unsigned n, enum side side,
			 struct cover *c)
{
	if (n == 0 || end <= start)
		return;
	unsigned p = 63 - (unsigned)__builtin_clzll(end - start);
	const uint64_t last = end & ~(power(p) - 1);
	uint64_t a;

	if (last >= start + power(p)) {
		a = last - power(p);
	} else {
		p--;
		a = end - last >= power(p) ? last : last - power(p);
	}
	if (n == 1 && side == LEFT && a > start)
		a = end - power(++p);
	else if (n == 1 && side == RIGHT && a + power(p) < end) {
		p++;
		a = start;
	}
	c->block[c->n++] = (struct ita2_block){a, p};
	if (--n == 0)
		return;
	const uint64_t right = end - (a + power(p));
	const int more_left = n % 2 && a - start > right;

	cover_inside(start, a, n / 2 + more_left, LEFT, c);
	cover_inside(a + power(p), end, n / 2 + (n % 2 && !more_left), RIGHT, c);
}

/* Returns the number of bytes of the block from addr on, 0 if the block has no addr. */
static uint64_t bytes_from(const struct ita2_block *b, uint64_t addr)
{
	if (b->log2 > ITA2_DEBUG_BITS || (b->addr ^ addr) >> b->log2)
		return 0;
	return power(b->log2) - (addr & (power(b->log2) - 1));
}

static int covers(const struct cover *c, uint64_t start, uint64_t end)
{
	while (start < end) {
		uint64_t longest = 0;

		for (unsigned i = 0; i < c->n; i++) {
			const uint64_t bytes = bytes_from(&c->block[i], start);

			longest = bytes > longest ? bytes : longest;
		}
		if (longest == 0)
			return 0;
		if (longest >= end - start)
			return 1;
		start += longest;
	}
	return 1;
}

int ita2_enclose(uint64_t start, uint64_t end, struct ita2_block *block)
{
	const uint64_t differ = start ^ (end - 1);
	const unsigned p = differ ? 64 - (unsigned)__builtin_clzll(differ) : 0;

	if (p > ITA2_DEBUG_BITS)
		return -1;
	*block = (struct ita2_block){start & ~(power(p) - 1), p};
	return 0;
}

/*
 * Two blocks that meet at the highest power of two in the range cover the least excess.
 */
static unsigned cover_halves(uint64_t start, uint64_t end, struct ita2_block block[2])
{
	const uint64_t differ = start ^ (end - 1);
	const unsigned top = 63 - (unsigned)__builtin_clzll(differ);
	const uint64_t middle = (end - 1) & ~(power(top) - 1);

	if (ita2_enclose(start, middle, &block[0]) == -1 ||
	    ita2_enclose(middle, end, &block[1]) == -1)
		return 0;
	return 2;
}

unsigned ita2_cover(uint64_t start, uint64_t end, unsigned n,
		    struct ita2_block block[ITA2_PAIRS])
{
	struct cover c = {block, 0};

	cover_inside(start, end, n, LEFT, &c);
	if (covers(&c, start, end))
		return c.n;
	if (n > 1 && start != end - 1)
		return cover_halves(start, end, block);
	return n && ita2_enclose(start, end, block) == 0;
}
