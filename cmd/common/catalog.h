/* --list: the events that words ask for, as text or as records for programs. */
#ifndef COMMON_CATALOG_H
#define COMMON_CATALOG_H

#include "options.h"

/* A processor whose events come first and have numbers. */
struct catalog_first {
	const char *cpu; /* the name of its table */
	/* Returns the number of the processor's event, or -1. */
	int (*number)(const char *cpu, const char *event);
};

/*
 * Print the events that have the words of s, or, for --names-only, the names that begin
 * with the word. first is NULL, or the processor whose events come first; the others then
 * are those of all tables, whatever --cpu says. Returns the exit status; exits if the
 * events cannot be looked up.
 */
int catalog_show(const struct options_shared *s, const struct catalog_first *first);

#endif
