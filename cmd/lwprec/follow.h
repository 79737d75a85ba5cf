/* The records of a running process, printed as they come. */
#ifndef LWPREC_FOLLOW_H
#define LWPREC_FOLLOW_H

#include "printer.h"

/*
 * Print the records of the rings of p->recording, a process that recording_copy_rings()
 * has read, until the process ends, a signal asks to end, or the output fails. Returns
 * how many problems there were, after messages about them.
 */
unsigned follow(struct printer *p);

#endif
