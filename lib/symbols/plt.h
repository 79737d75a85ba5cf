/* Names such as "printf@plt" of the code that calls functions of other files. */
#ifndef SYMBOLS_PLT_H
#define SYMBOLS_PLT_H

#include "symbols/elf.h"
#include "symbols/strings.h"
#include "symbols/table.h"

/*
 * Add a symbol for each entry of the sections of f that can be decoded. The table may be
 * unfinished. Returns 0, or -1 with ENOMEM.
 */
int plt_add(const struct elf_file *f, struct table *t, struct strings *strings);

#endif
