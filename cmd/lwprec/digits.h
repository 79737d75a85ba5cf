/* Numbers as text, for output of millions of lines a second. */
#ifndef LWPREC_DIGITS_H
#define LWPREC_DIGITS_H

#include <endian.h>
#include <stdint.h>
#include <string.h>

enum { DIGITS_HEX = 16, DIGITS_DECIMAL = 20 }; /* at most */

/* Return the 8 hexadecimal digits of v, the first one in the lowest byte. */
static inline uint64_t digits_spread(uint32_t v)
{
	uint64_t x = v;

	/* Each step moves the upper half of a group of digits to a group of its own. */
	x = (x << 16 | x) & UINT64_C(0x0000ffff0000ffff);
	x = (x << 8 | x) & UINT64_C(0x00ff00ff00ff00ff);
	x = (x << 4 | x) & UINT64_C(0x0f0f0f0f0f0f0f0f);
	/* Digits from 10 on become letters: 6 more than 9 sets bit 4. */
	const uint64_t letters =
		(x + UINT64_C(0x0606060606060606)) >> 4 & UINT64_C(0x0101010101010101);
	x += UINT64_C(0x3030303030303030) + letters * ('a' - '0' - 10);
	return __builtin_bswap64(x);
}

static inline unsigned digits_of_hex(uint64_t v)
{
	return (67 - (unsigned)__builtin_clzll(v | 1)) / 4;
}

/*
 * Write v as hexadecimal digits with 0x before. Up to DIGITS_HEX bytes are written beyond
 * the end, which is returned.
 */
static inline char *digits_hex(char *p, uint64_t v)
{
	const unsigned n = digits_of_hex(v);
	const uint64_t left = v << (64 - 4 * n);
	const uint64_t high = htole64(digits_spread((uint32_t)(left >> 32)));
	const uint64_t low = htole64(digits_spread((uint32_t)left));

	memcpy(p, "0x", 2);
	memcpy(p + 2, &high, 8);
	memcpy(p + 10, &low, 8);
	return p + 2 + n;
}

static inline unsigned digits_of_decimal(uint64_t v)
{
	unsigned n = 1;

	for (; v >= 10000; v /= 10000)
		n += 4;
	return n + (v >= 10) + (v >= 100) + (v >= 1000);
}

/* Write the n digits of v, which are all or, with n too small, the last ones. */
static inline void digits_put(char *p, uint64_t v, unsigned n)
{
	static const char pairs[] = "00010203040506070809"
				    "10111213141516171819"
				    "20212223242526272829"
				    "30313233343536373839"
				    "40414243444546474849"
				    "50515253545556575859"
				    "60616263646566676869"
				    "70717273747576777879"
				    "80818283848586878889"
				    "90919293949596979899";

	for (; n >= 2; n -= 2, v /= 100)
		memcpy(p + n - 2, pairs + 2 * (v % 100), 2);
	if (n)
		*p = (char)('0' + v % 10);
}

/* Write v as a decimal number, and return its end. */
static inline char *digits_decimal(char *p, uint64_t v)
{
	const unsigned n = digits_of_decimal(v);

	digits_put(p, v, n);
	return p + n;
}

#endif
