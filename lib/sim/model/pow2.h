/* Powers of two: what the sizes of caches and tables are. */
#ifndef POW2_H
#define POW2_H

#include <stdint.h>

static inline int pow2_is(uint64_t n)
{
	return n && !(n & (n - 1));
}

/* Of n > 0, rounded down. */
static inline unsigned pow2_log(uint64_t n)
{
	return 63 - __builtin_clzll(n);
}

#endif
