/* The options of repeated runs, of the commands that run programs (repeat.h). */
#ifndef COMMON_OPTIONS_SERIES_H
#define COMMON_OPTIONS_SERIES_H

#include "options.h"

/* Handle c, which options_read() returned, or let options_shared_parse() handle it. */
void options_series_parse(struct options_shared *s, int c);

/*
 * After all options were parsed: exit with EXIT_USAGE if runs are to be repeated, and a
 * format or another option does not go with that; other names the option, or is NULL.
 */
void options_series_check(const struct options_shared *s, const char *other);

#endif
