/* What perfex tells without measuring: --list, --doctor. */
#ifndef INFO_H
#define INFO_H

#include "options.h"

/* Prints what o->action asks for; returns the exit status. */
int info(const struct options *o);

/* Write a text to standard output, and free it; returns the exit status. */
int info_text(char *text);

#endif
