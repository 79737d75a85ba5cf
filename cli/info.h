/* What commands tell without measuring: --list, --doctor, and what there is to choose. */
#ifndef INFO_H
#define INFO_H

#include <catalog.h>
#include <libcpc.h>

#include "suite.h"

/* A session for it. Exits if there is none. */
cpc_t *info_open(const struct suite *s);

/* The session could not be opened for this: say what it is, and what there is. Exits. */
void info_unknown_choice(const struct suite *s) __attribute__((noreturn));

/* -h: the usage, and what the counters can do. Returns the exit status. */
int info_capabilities(const struct suite *s, void (*usage)(FILE *out));

/* Do what s->tell asks for. Returns the exit status. */
int info_tell(const struct suite *s);

/* A line of a list, of which indent columns are there already; and the title of all. */
void info_print_title(const char *first);
void info_print_entry(const struct catalog_entry *e, int indent);

#endif
