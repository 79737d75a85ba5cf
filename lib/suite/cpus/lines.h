/*
 * The lines of a statfile as they are read, one at a time: their checksums, and the
 * fields in them. After a failure l->why says what was wrong.
 */
#ifndef SUITE_CPUS_LINES_H
#define SUITE_CPUS_LINES_H

#include <stddef.h>
#include <stdint.h>

#include "suite/cpus/crc.h"

struct statfile_lines {
	int fd;
	int eof; /* nothing is left to read */
	char *buf;
	size_t size, begin, end; /* what was read, and is not in a line yet */
	uint64_t bytes;		 /* of the lines taken so far */
	uint64_t line;		 /* number of the last one, from 1 */
	uint32_t crc;		 /* of the lines before it; then, of it too */
	const char *at, *stop;	 /* what is left of it; at is NULL after its last field */
	unsigned field;		 /* number of the field that is next, from 1 */
	char why[128];
	struct statfile_crc table;
};

/* path "-": standard input. -1: as open(2), ENOMEM; then, too, it wants its close. */
int statfile_lines_open(struct statfile_lines *l, const char *path);
void statfile_lines_close(struct statfile_lines *l);

/*
 * Take a line: 1. 0: the file is at its end. -1: EBADMSG, no line; ENOMEM or as read(2).
 * Only after statfile_lines_check() is it known that it is right: -1, EBADMSG.
 */
int statfile_lines_take(struct statfile_lines *l);
int statfile_lines_check(struct statfile_lines *l);

/* The line is wrong for a reason of the caller's. Always -1, EBADMSG. */
__attribute__((format(printf, 2, 3))) int statfile_lines_bad(struct statfile_lines *l,
							     const char *fmt, ...);

/* Keep errno and its words. Always -1. */
int statfile_lines_failed(struct statfile_lines *l);

/* Whether the next field is this word; it is then taken. */
int statfile_lines_is(struct statfile_lines *l, const char *word);

/* Take the next field as a number, of at most max. -1: EBADMSG. */
int statfile_lines_num(struct statfile_lines *l, uint64_t max, uint64_t *v);

/* As text, for the caller to free. NULL: EBADMSG, ENOMEM. */
char *statfile_lines_text(struct statfile_lines *l);

/* That was the last field. -1: EBADMSG. */
int statfile_lines_end(struct statfile_lines *l);

#endif
