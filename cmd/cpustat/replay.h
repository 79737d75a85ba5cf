/* -I: show the samples that -O has saved. */
#ifndef CPUSTAT_REPLAY_H
#define CPUSTAT_REPLAY_H

#include "options.h"

/* Show the file as the run did that wrote it. Returns the exit status. */
int replay(const struct options *o);

#endif
