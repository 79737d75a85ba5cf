/* --explain: the control words of the events, or what counts events that have none. */
#ifndef PERFEX_TELL_H
#define PERFEX_TELL_H

#include "options.h"

/* Returns the exit status, or exits. */
int explain_events(const struct options *o);

/* Returns the exit status. */
int list(const struct options *o);

#endif
