/* --explain: the control words of the events, or what counts events that have none. */
#ifndef PERFEX_SHOW_H
#define PERFEX_SHOW_H

#include "options.h"

/* Returns the exit status, or exits. */
int show_explain(const struct options *o);

/* Returns the exit status. */
int show_list(const struct options *o);

#endif
