/*
 * Counting the command and all that it starts as one sum: by events that its processes and
 * threads inherit, so that nothing is done for any of them.
 */
#ifndef PERFEX_TOTAL_H
#define PERFEX_TOTAL_H

#include "run.h"

/* Counts, and reports as the options say, but for -mp. Returns the exit status. */
int total_run(struct run *r);

#endif
