/* The table of costs that -y and -t use. */
#ifndef PERFEX_COSTS_H
#define PERFEX_COSTS_H

#include "irix/costs.h"

#include "options.h"

/*
 * The table that -c names, a file or one of ours, or else the table of the processor.
 * Exits with a message on failure. costs_close() frees the result.
 */
const struct costs *costs_open(const struct options *o);
void costs_close(const struct costs *c);

#endif
