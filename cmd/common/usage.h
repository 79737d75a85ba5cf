/* The text that a command prints about its use, made from its table of options. */
#ifndef COMMON_USAGE_H
#define COMMON_USAGE_H

#include <stddef.h>
#include <stdio.h>

#include "options_table.h"

/* Print the synopsis. */
void usage_synopsis(const struct options_command *c, FILE *out);

/* Print the synopsis and the everyday options. */
void usage_everyday(const struct options_command *c, FILE *out);

/* Print the same with examples and where to read more, on one screen: --help. */
void usage_short(const struct options_command *c, FILE *out);

/* Print the synopsis and all options, by groups: --help=all. */
void usage_all(const struct options_command *c, FILE *out);

/* Print where to read more after bad use. */
void usage_hint(const struct options_command *c, FILE *out);

#endif
