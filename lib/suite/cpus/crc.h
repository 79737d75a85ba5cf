/* CRC-32 as in zlib and gzip: the checksum of the lines of a statfile. */
#ifndef SUITE_CPUS_CRC_H
#define SUITE_CPUS_CRC_H

#include <stddef.h>
#include <stdint.h>

/* The tables of the calculation, constant after statfile_crc_init(). */
struct statfile_crc {
	uint32_t ahead[8][256]; /* the effect of a byte on the CRC 0 to 7 bytes later */
};

void statfile_crc_init(struct statfile_crc *t);

/* Return the CRC after n more bytes, where crc is that of the bytes before, or 0. */
uint32_t statfile_crc(const struct statfile_crc *t, uint32_t crc, const char *s,
		      size_t n);

#endif
