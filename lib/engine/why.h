/* Why attributes of a processor's own events are counted by no engine. */
#ifndef ATTR_WHY_H
#define ATTR_WHY_H

#include "engine/engine.h"

/* ask has attributes, and a row of the table of a processor. -1, ENOTSUP. */
int attr_why(const struct evask *ask, struct why *why);

#endif
