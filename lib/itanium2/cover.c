#include "itanium2/cover.h"

#include "itanium2/registers.h"

struct cover {
	struct ita2_block *block;
	unsigned n;
};

/* 2^n, 0 where that has no bit. */
static uint64_t power(unsigned n)
{
	return n < 64 ? UINT64_C(1) << n : 0;
}

/* The side of the enclosing block that a part of a range is on. */
enum side { LEFT, RIGHT };

/*
 * The largest aligned block inside, then both remainders, with the pairs that are left. A
 * last pair must do for all: its block is doubled at the far end, which need not be a
 * place where such a block can be. The rule is libpfm 3's (pfm_dispatch_events of Itanium
 * 2), so that the registers are the same.
 */
static void inside(uint64_t start, uint64_t end, unsigned n, enum side side,
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

	inside(start, a, n / 2 + more_left, LEFT, c);
	inside(a + power(p), end, n / 2 + (n % 2 && !more_left), RIGHT, c);
}

/* Does the block have this address? Gives what is left of it from there on, or 0. */
static uint64_t bytes_from(const struct ita2_block *b, uint64_t addr)
{
	if (b->log2 > ITA2_DEBUG_BITS || (b->addr ^ addr) >> b->log2)
		return 0;
	return power(b->log2) - (addr & (power(b->log2) - 1));
}

static int covers(const struct cover *c, uint64_t start, uint64_t end)
{
	while (start < end) {
		uint64_t most = 0;

		for (unsigned i = 0; i < c->n; i++) {
			const uint64_t bytes = bytes_from(&c->block[i], start);

			most = bytes > most ? bytes : most;
		}
		if (most == 0)
			return 0;
		if (most >= end - start)
			return 1;
		start += most;
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

/* Two blocks that meet at the highest power of two inside cover the least. */
static unsigned halves(uint64_t start, uint64_t end, struct ita2_block block[2])
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

	inside(start, end, n, LEFT, &c);
	if (covers(&c, start, end))
		return c.n;
	if (n > 1 && start != end - 1)
		return halves(start, end, block);
	return n && ita2_enclose(start, end, block) == 0;
}
