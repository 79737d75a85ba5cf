/* -I: samples of a file, shown as if they were taken now. */
#ifndef CPUSTAT_REPLAY_H
#define CPUSTAT_REPLAY_H

#include "options.h"

/* Returns the exit status. */
int replay(const struct options *o);

#endif
