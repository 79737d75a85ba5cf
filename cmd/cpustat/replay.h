/* -I: samples of a file, shown as in the run that wrote them. */
#ifndef CPUSTAT_REPLAY_H
#define CPUSTAT_REPLAY_H

#include "options.h"

/* Show o->input. Returns the exit status. */
int replay(const struct options *o);

#endif
