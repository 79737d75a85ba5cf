/* A run of cpustat: the intervals, and what is done with each. */
#ifndef CPUSTAT_RUN_H
#define CPUSTAT_RUN_H

#include "options.h"

/* Counts until the end. Returns the exit status. */
int run(const struct options *o);

#endif
