/* Words for what the simulation refuses. */
#ifndef SIM_WHY_H
#define SIM_WHY_H

#include "engine/engine.h"

/* Fills *why, sets errno to err; returns -1. */
int sim_why(struct why *why, int err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
