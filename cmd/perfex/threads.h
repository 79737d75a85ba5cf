/*
 * -mp: counts each thread of the command and of the processes it starts, and their sum.
 * The threads are traced (libpctx), which takes some microseconds for each.
 */
#ifndef PERFEX_THREADS_H
#define PERFEX_THREADS_H

#include "run.h"

/* Run the command, count and report. Returns the exit status. */
int threads_run(struct run *r);

#endif
