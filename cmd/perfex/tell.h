/* --explain: the control words of the events, or what counts events that have none. */
#ifndef EXPLAIN_EVENTS_H
#define EXPLAIN_EVENTS_H

#include "options.h"

/* Returns the exit status, or exits. */
int explain_events(const struct options *o);

/* Returns the exit status. */
int list(const struct options *o);

#endif
