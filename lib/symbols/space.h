/* The address space of a process, as the files of this folder see it. */
#ifndef SYMBOLS_SPACE_H
#define SYMBOLS_SPACE_H

#include "symbols/jit.h"
#include "symbols/maps.h"
#include "symbols/module.h"
#include "symbols/symbols.h"

struct symbols {
	struct symbols_options options;
	struct maps maps;
	struct module *modules, **last; /* in the order of their first mappings */
	struct jit jit;
	int has_jit; /* 1: it is read */
};

#endif
