/*
 * Line tables of DWARF 2 to 5. libdw merges the sequences of a table, so that the end of
 * one cannot be told from the start of the next.
 */
#ifndef SYMBOLS_LINETABLE_H
#define SYMBOLS_LINETABLE_H

#include <stddef.h>
#include <stdint.h>

#include "symbols/cursor.h"
#include "symbols/source.h"

struct linetable_file {
	const char *name;
	uint64_t dir;
	uint32_t index; /* of the path in the names of the source, or SOURCE_NONE */
};

/* The sections are filled by the caller; the rest starts as zeros. */
struct linetable {
	struct section line, line_str, str;
	const char *comp_dir; /* where the unit was compiled, or NULL */
	struct source_lines *to;
	uint64_t names_left; /* bytes that names may still have */
	/* of the table that was opened last */
	unsigned version;
	struct cursor program;
	unsigned min_length, max_ops, line_range, opcode_base;
	int line_base;
	uint8_t lengths[256]; /* how many numbers follow each opcode */
	const char **dirs;
	struct linetable_file *files;
	size_t ndirs, nfiles;
	size_t size; /* in the section */
};

/*
 * Open the table at an offset of .debug_line. Returns 0; or -1 with ENOEXEC if it is
 * malformed or of an unknown version, or ENOMEM.
 */
int linetable_open(struct linetable *t, uint64_t offset);

/*
 * Fill *index by that of the path of a file of the table, or by SOURCE_NONE. Returns 0;
 * or -1 with ENOEXEC or ENOMEM.
 */
int linetable_file(struct linetable *t, uint64_t file, uint32_t *index);

/* Add the rows of the table to the source. Returns 0; or -1 with ENOEXEC or ENOMEM. */
int linetable_run(struct linetable *t);

void linetable_free(struct linetable *t);

#endif
