/* The table of costs of -y and -t. */
#ifndef PERFEX_COSTS_H
#define PERFEX_COSTS_H

#include "irix/costs.h"

#include "options.h"

/*
 * That of -c, a file or one of the suite's, or the processor's; exits if it cannot be had.
 * To be given back to costs_close().
 */
const struct costs *costs_open(const struct options *o);
void costs_close(const struct costs *c);

#endif
