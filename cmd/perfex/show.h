/* The options that show information about events: --explain and --list. */
#ifndef PERFEX_SHOW_H
#define PERFEX_SHOW_H

#include "options.h"

/*
 * --explain: print how the processor's registers, or the engine, would be programmed.
 * Returns the exit status, or exits.
 */
int show_explain(const struct options *o);

/* --list: print the events. Returns the exit status. */
int show_list(const struct options *o);

#endif
