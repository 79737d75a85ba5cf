/* -I: samples of a file, shown as if they were taken now. */
#ifndef REPLAY_H
#define REPLAY_H

#include "options.h"

/* Returns the exit status. */
int replay(const struct options *o);

#endif
