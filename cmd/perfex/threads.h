/*
 * -mp: counting each thread of the command and of all that it starts, and their sum. The
 * threads are traced for that (libpctx), which costs some microseconds each.
 */
#ifndef PERFEX_THREADS_H
#define PERFEX_THREADS_H

#include "run.h"

/* Counts and reports. Returns the exit status. */
int threads_run(struct run *r);

#endif
