/*
 * Checks of debug information before libdw reads it. libdw is safe as to memory, but a
 * small malformed file can let it work for hours or allocate all memory.
 */
#ifndef SYMBOLS_LIMITS_H
#define SYMBOLS_LIMITS_H

#include <stddef.h>
#include <stdint.h>

/* The names of folders and files are shorter. It is PATH_MAX of Linux. */
enum { LIMITS_NAME = 4096 };

/* The bytes of a section. */
struct section {
	const uint8_t *bytes;
	size_t size;
	int is_big_endian;
};

/*
 * Return the size of the table of abbreviations at an offset of .debug_abbrev; or 0 if it
 * is malformed or if an abbreviation has more attributes than a compiler writes.
 */
size_t limits_abbrev(const struct section *s, uint64_t offset);

/*
 * Return the size of the line table at an offset of .debug_line; or 0 if it is malformed,
 * or if the names of its files, with their folders and the folder of the compilation,
 * whose length is comp_dir, are too long. Strings of version 5 are in line_str and str.
 */
size_t limits_lines(const struct section *s, uint64_t offset, size_t comp_dir,
		    const struct section *line_str, const struct section *str);

#endif
