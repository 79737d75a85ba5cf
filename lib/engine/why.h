/* Why attributes of a processor's own events are counted by no engine. */
#ifndef ENGINE_WHY_H
#define ENGINE_WHY_H

#include "engine/engine.h"

/* ask has attributes, and a row of the table of a processor. -1, ENOTSUP. */
int why_attributes(const struct engine_request *ask, struct why *why);

/* Fills *why, sets errno to err; returns -1. */
int why_refuse(struct why *why, int err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
