/* What cputrack tells without measuring: -h, --list, --doctor. */
#ifndef INFO_H
#define INFO_H

#include <libcpc.h>

#include "options.h"

/* Prints what o->action asks for; returns the exit status. */
int info(const struct options *o, cpc_t *cpc);

/*
 * The session could not be opened for o->cpu and o->engine: say which it is, and what
 * there is.
 */
void info_unknown_choice(const struct options *o);

#endif
