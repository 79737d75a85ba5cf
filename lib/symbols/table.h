/* The symbols of a file: its functions and variables, by address and by name. */
#ifndef SYMBOLS_TABLE_H
#define SYMBOLS_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "symbols/ranges.h"

/* A thread-local variable has an offset in place of an address. */
enum symbol_kind { SYMBOL_LABEL, SYMBOL_FUNCTION, SYMBOL_OBJECT, SYMBOL_THREAD_LOCAL };

/* Of symbols with the same range, the one with the highest binding is shown. */
enum symbol_binding { SYMBOL_LOCAL, SYMBOL_WEAK, SYMBOL_GLOBAL };

struct symbol {
	uint64_t start, size; /* in addresses of the file; the size is 0 if not known */
	uint64_t limit;	      /* end of the section: a symbol without size ends before */
	const char *name;     /* as in the file */
	const char *shown;    /* demangled; NULL: not yet */
	const char *unit;     /* source file of a local symbol; NULL: not known */
	unsigned char kind, binding;
	unsigned char is_indirect; /* its code returns the address of the function */
};

static inline int symbol_is_code(const struct symbol *s)
{
	return s->kind == SYMBOL_LABEL || s->kind == SYMBOL_FUNCTION;
}

/* Starts as zeros. */
struct table {
	struct symbol *list; /* sorted by address once finished */
	size_t n;
	struct ranges functions, objects; /* the values are indices of the list */
};

/* Add a symbol, whose name must outlive the table. Returns 0, or -1 with ENOMEM. */
int table_add(struct table *t, const struct symbol *s);

/* Prepare the table for searches. Returns 0, or -1 with ENOMEM. */
int table_finish(struct table *t);

/* Return the function or label, or the variable, that contains an address, or NULL. */
struct symbol *table_function(const struct table *t, uint64_t address);
struct symbol *table_object(const struct table *t, uint64_t address);

/* Return the symbol of a name, of several the one with the highest binding, or NULL. */
const struct symbol *table_named(const struct table *t, const char *name);

void table_free(struct table *t);

#endif
