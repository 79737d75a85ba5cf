/* A mapped file with its symbols, which are read when they are first needed. */
#ifndef SYMBOLS_MODULE_H
#define SYMBOLS_MODULE_H

#include <stdint.h>

#include "symbols/elf.h"
#include "symbols/source.h"
#include "symbols/strings.h"
#include "symbols/symbols.h"
#include "symbols/table.h"

struct module {
	struct module *next;
	char *path;	     /* as mapped */
	uint64_t start, end; /* of the first mapping */
	struct build_id id;  /* of what is mapped, if known */
	int is_loaded;	     /* 1: what follows is read, as far as that is possible */
	struct elf_file file;
	struct table table;
	struct strings strings;
	struct source_lines source;
	const char *problem; /* why symbols could not be read, or NULL */
};

/* Return a module for a mapping, or NULL with ENOMEM. */
struct module *module_new(const struct symbols_mapping *m);

/* Return 1 if a mapping is of this module. */
int module_has(const struct module *m, const struct symbols_mapping *mapping);

/* Return 1 if the path is that of a file or of "[vdso]", and not of anonymous memory. */
int module_is_file(const struct module *m);

/* Read the symbols of the module, once. */
void module_load(struct module *m, const struct symbols_options *o);

void module_free(struct module *m);

#endif
