/*
 * Reads the lines of a statfile one at a time, with their checksums and fields. After a
 * failure l->why has the message.
 */
#ifndef SUITE_CPUS_LINES_H
#define SUITE_CPUS_LINES_H

#include <stddef.h>
#include <stdint.h>

#include "suite/cpus/crc.h"

struct statfile_lines {
	int fd;
	int eof; /* read(2) has reached the end of the file */
	char *buf;
	size_t size, begin,
		end;	       /* of buf; begin to end are the bytes of the next lines */
	uint64_t bytes;	       /* of the lines read so far */
	uint64_t line;	       /* number of the current line, from 1 */
	uint32_t crc;	       /* of all lines that were checked */
	const char *at, *stop; /* rest of the line; at is NULL after its last field */
	unsigned field;	       /* number of the next field, from 1 */
	char why[128];
	struct statfile_crc table;
};

/*
 * Open a file, or standard input if path is "-". Returns -1 with ENOMEM or errno of
 * open(2). l needs statfile_lines_close(), also after a failure.
 */
int statfile_lines_open(struct statfile_lines *l, const char *path);
void statfile_lines_close(struct statfile_lines *l);

/*
 * Read the next line. Returns 1, or 0 at the end of the file, or -1 with EBADMSG if the
 * line is cut or too long, ENOMEM, or errno of read(2).
 */
int statfile_lines_next(struct statfile_lines *l);

/* Check the checksum of the line. Returns -1 with EBADMSG if it does not match. */
int statfile_lines_check(struct statfile_lines *l);

/* Set l->why to "line N: ...". Returns -1 with EBADMSG. */
__attribute__((format(printf, 2, 3))) int statfile_lines_bad(struct statfile_lines *l,
							     const char *fmt, ...);

/* Set l->why to the message of errno. Returns -1 with the same errno. */
int statfile_lines_failed(struct statfile_lines *l);

/* If the next field is this word, skip it and return 1; else return 0. */
int statfile_lines_is(struct statfile_lines *l, const char *word);

/* Read the next field, a number of at most max. Returns -1 with EBADMSG. */
int statfile_lines_num(struct statfile_lines *l, uint64_t max, uint64_t *v);

/*
 * Return the next field as text, which the caller frees, or NULL with EBADMSG or ENOMEM.
 */
char *statfile_lines_text(struct statfile_lines *l);

/* Check that the line has no more fields. Returns -1 with EBADMSG if it has. */
int statfile_lines_end(struct statfile_lines *l);

#endif
