/* perfex --list: the 32 events of a processor, and others like them. */
#ifndef LIST_H
#define LIST_H

#include "options.h"

/* Returns the exit status. */
int list(const struct options *o);

#endif
