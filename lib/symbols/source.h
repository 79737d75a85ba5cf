/* Source lines and inlined functions of a file, by address. */
#ifndef SYMBOLS_SOURCE_H
#define SYMBOLS_SOURCE_H

#include <stddef.h>
#include <stdint.h>

#include "symbols/ranges.h"
#include "symbols/strings.h"
#include "symbols/symbols.h"

enum { SOURCE_NONE = 0xffffffff };

/* A function, or a place into which a function is inlined. */
struct source_function {
	const char *name;      /* for the linker, if it has such a name; or NULL */
	const char *shown;     /* demangled; NULL: not yet */
	uint64_t start;	       /* its lowest address; of a function without a range: 0 */
	const char *call_file; /* where it is called, if it is inlined; or NULL */
	uint32_t call_line;    /* 0: not known */
	uint32_t inlined_into; /* index of a function, or SOURCE_NONE */
};

/* The line of the addresses from address to that of the next row. */
struct source_row {
	uint64_t address;
	uint32_t file; /* index of a name, or SOURCE_NONE */
	uint32_t line; /* 0: not known */
};

struct source_sequence {
	size_t first, n; /* rows, sorted by address */
};

/* Starts as zeros. */
struct source_lines {
	struct strings strings;
	const char **names;
	struct source_function *functions;
	struct source_row *rows;
	struct source_sequence *sequences;
	size_t nnames, nfunctions, nrows, nsequences;
	struct ranges code;    /* the values are indices of functions */
	struct ranges covered; /* the values are indices of sequences */
};

/* Copy a name. Returns its index in the names; or SOURCE_NONE with ENOMEM. */
uint32_t source_add_name(struct source_lines *s, const char *name);

/*
 * Add a function, whose strings live as long as the source. Returns its index; or
 * SOURCE_NONE with ENOMEM. Functions that are inlined are added after those that they
 * are inlined into.
 */
uint32_t source_add_function(struct source_lines *s, const struct source_function *f);

/* Add a range, which is not empty, of a function. Returns 0, or -1 with ENOMEM. */
int source_add_range(struct source_lines *s, uint32_t function, uint64_t start,
		     uint64_t end);

/*
 * Add a row. Rows are added in the order of addresses; of rows for the same address the
 * last counts. Returns 0, or -1 with ENOMEM.
 */
int source_add_row(struct source_lines *s, const struct source_row *row);

/* End the sequence of the rows since the last call. Returns 0, or -1 with ENOMEM. */
int source_end_sequence(struct source_lines *s, uint64_t end);

/* Prepare for searches. Returns 0, or -1 with ENOMEM. */
int source_finish(struct source_lines *s);

/* Return the innermost function that contains an address, or NULL. */
struct source_function *source_function(const struct source_lines *s, uint64_t address);

/* Return the function that f is inlined into, or NULL. */
struct source_function *source_caller(const struct source_lines *s,
				      const struct source_function *f);

/* Return the row of an address, or NULL. */
const struct source_row *source_row(const struct source_lines *s, uint64_t address);

void source_free(struct source_lines *s);

#endif
