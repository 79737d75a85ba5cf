/* The functions and source lines of instructions of a recording, each looked up once. */
#ifndef LWPREC_PLACES_H
#define LWPREC_PLACES_H

#include "fields.h"
#include "lwp/recording.h"
#include "symbols/symbols.h"

struct place {
	uint64_t ip;
	const char *function; /* NULL: no symbol */
	const char *module;   /* the path; NULL: not mapped */
	uint64_t offset;      /* from the function's start, or in the module */
	unsigned line;	      /* 0: not known */
	int matches; /* 1: the filters for symbol and module match; -1: unknown */
	struct field_word symbol, module_word, file; /* s is NULL if not known */
};

/* Return a cache of places, or NULL with ENOMEM. The words are of this format. */
struct places *places_new(const struct recording *r, const struct symbols_options *o,
			  enum text_format format);
void places_free(struct places *p);

/* Return the place of an instruction, valid until the next call; NULL: no memory. */
struct place *places_find(struct places *p, uint64_t ip);

/* Return the symbols, for messages about files that could not be read. */
struct symbols *places_symbols(struct places *p);

#endif
