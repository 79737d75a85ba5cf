/* CRC-32, the one of zlib and gzip: the checksum in the lines of a statfile. */
#ifndef SUITE_CPUS_CRC_H
#define SUITE_CPUS_CRC_H

#include <stddef.h>
#include <stdint.h>

/* Read-only after statfile_crc_init(). */
struct statfile_crc {
	uint32_t ahead[8][256]; /* what a byte comes to, 0 to 7 bytes later */
};

void statfile_crc_init(struct statfile_crc *t);

/* Of n more bytes, after those that crc is of; 0: of none. */
uint32_t statfile_crc(const struct statfile_crc *t, uint32_t crc, const char *s,
		      size_t n);

#endif
