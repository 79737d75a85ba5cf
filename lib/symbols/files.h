/* Where the file of a mapping, and the file with its debug information, may be. */
#ifndef SYMBOLS_FILES_H
#define SYMBOLS_FILES_H

#include <stdint.h>
#include <sys/types.h>

#include "symbols/elf.h"

/* What is looked for. */
struct files_query {
	const char *root;    /* folder in which all paths are looked up, "" for "/" */
	pid_t pid;	     /* a process that maps the file, or 0 */
	const char *path;    /* as mapped */
	uint64_t start, end; /* of a mapping of the file in that process */
	const struct build_id *id;
	const char *debuglink; /* name of the file with debug information, or NULL */
};

/*
 * Return the name of the i-th place of the mapped file, or of the file with its debug
 * information, for the caller to free; "" if this place does not apply; NULL after the
 * last place, which leaves errno as it was, or with ENOMEM.
 */
char *files_image(const struct files_query *q, unsigned i);
char *files_debug(const struct files_query *q, unsigned i);

/* Return 1 if the file at the path was deleted after it had been mapped. */
int files_is_deleted(const char *path);

/* Open a regular file. Returns a descriptor, or -1 with errno. */
int files_open(const char *name);

/* Compute the CRC of a file as .gnu_debuglink has it. Returns 0, or -1 with errno. */
int files_crc(int fd, uint32_t *crc);

#endif
