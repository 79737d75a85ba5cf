/* The text of -e of lwprec record. */
#ifndef LWPREC_RECORD_EVENTS_H
#define LWPREC_RECORD_EVENTS_H

#include "engine/engine.h"

/*
 * Call add with arg for each event of the text of -e, "NAME" or "NAME:INTERVAL" (1 to
 * 2^25; 0: none is given). If add returns -1, exits with the text that it has stored:
 * with EXIT_USAGE, or EXIT_TOOL unless errno is EINVAL, EEXIST, ENOENT or ENOSPC.
 * Exits with EXIT_USAGE if an interval is wrong.
 */
void record_each_event(const char *text,
		       int (*add)(void *arg, const char *name, uint64_t interval,
				  struct why *why),
		       void *arg);

#endif
