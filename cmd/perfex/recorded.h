/*
 * -mp without a tracer (--tracker=records): the kernel records what each thread has
 * counted when it ends, and the total is that of the whole tree of processes.
 */
#ifndef PERFEX_RECORDED_H
#define PERFEX_RECORDED_H

#include "run.h"

/*
 * Run the command, count and report. Returns the exit status, also after a message that
 * says why the kernel does not record what is asked for; then nothing has run.
 */
int recorded_run(struct run *r);

#endif
