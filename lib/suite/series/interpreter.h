/*
 * Interpreters whose programs do different work in each run, because a random seed
 * decides the order of their hash tables.
 */
#ifndef SUITE_SERIES_INTERPRETER_H
#define SUITE_SERIES_INTERPRETER_H

#include "base/text.h"

/*
 * Returns the interpreter that will draw a hash seed when it executes a command:
 * "python", "perl" or "ruby"; or NULL, also if the environment fixes the seed. The
 * command is the interpreter, or a script that names it in its first line.
 */
const char *interpreter_of(char *const *argv);

/* Append how the seed of an interpreter is fixed. */
void interpreter_put_hint(struct textbuf *b, const char *interpreter);

#endif
