/*
 * Counts the command and all processes it starts as one sum. Their threads inherit the
 * events, so perfex does no work for each of them.
 */
#ifndef PERFEX_TOTAL_H
#define PERFEX_TOTAL_H

#include "run.h"

/* Run the command, count and report in any mode but -mp. Returns the exit status. */
int total_run(struct run *r);

#endif
