/* The words for refusals that several engines share. */
#ifndef ENGINE_WHY_H
#define ENGINE_WHY_H

#include "engine/engine.h"

/*
 * Refuse a request for an event of a processor table with attributes, which no engine can
 * count with. Returns -1 with ENOTSUP.
 */
int why_attributes(const struct engine_request *req, struct why *why);

/* Fill *why (which may be NULL), set errno to err and return -1. */
int why_refuse(struct why *why, int err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
