/* Files of records that are joined, read record by record. */
#ifndef SUITE_BY_READ_H
#define SUITE_BY_READ_H

#include "suite/by/by.h"

/*
 * Take the records of a file, "-" for standard input. Returns 0; or -1 after writing into
 * why, which has size bytes, why the file cannot be read, or not to its end.
 */
int by_file(struct by *b, const char *path, char *why, size_t size);

#endif
