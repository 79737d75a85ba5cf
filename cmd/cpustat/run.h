/* A run of cpustat: counting all CPUs, interval by interval. */
#ifndef CPUSTAT_RUN_H
#define CPUSTAT_RUN_H

#include "options.h"

/* Count until the end. Returns the exit status. */
int run(const struct options *o);

#endif
