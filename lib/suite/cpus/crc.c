#include "suite/cpus/crc.h"

/*
 * Source: RFC 1952, 2.3.1 and 8 (the polynomial, bits reversed). Eight bytes are
 * processed at a time, since an interval of a large machine has some 100 KiB: table k has
 * the effect of a byte after k further bytes.
 */
static const uint32_t polynomial = 0xedb88320;

void statfile_crc_init(struct statfile_crc *t)
{
	for (uint32_t byte = 0; byte < 256; byte++) {
		uint32_t crc = byte;
		for (int bit = 0; bit < 8; bit++)
			crc = crc & 1 ? crc >> 1 ^ polynomial : crc >> 1;
		t->ahead[0][byte] = crc;
	}
	for (unsigned later = 1; later < 8; later++)
		for (unsigned byte = 0; byte < 256; byte++) {
			const uint32_t crc = t->ahead[later - 1][byte];
			t->ahead[later][byte] = crc >> 8 ^ t->ahead[0][crc & 0xff];
		}
}

static uint32_t little_endian(const unsigned char *b)
{
	return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

/* The effect of the four bytes of x; three bytes follow the first one. */
static uint32_t four(const uint32_t (*ahead)[256], uint32_t x)
{
	return ahead[3][x & 0xff] ^ ahead[2][x >> 8 & 0xff] ^ ahead[1][x >> 16 & 0xff] ^
	       ahead[0][x >> 24];
}

uint32_t statfile_crc(const struct statfile_crc *t, uint32_t crc, const char *s, size_t n)
{
	const unsigned char *b = (const unsigned char *)s;

	crc = ~crc;
	for (; n >= 8; n -= 8, b += 8)
		crc = four(t->ahead + 4, crc ^ little_endian(b)) ^
		      four(t->ahead, little_endian(b + 4));
	for (; n; n--, b++)
		crc = crc >> 8 ^ t->ahead[0][(crc ^ *b) & 0xff];
	return ~crc;
}
