/*
 * -mp without a tracer: records of the kernel, or BPF programs, tell what each thread has
 * counted when it ends, and the total is that of the whole tree of processes.
 */
#ifndef PERFEX_RECORDED_H
#define PERFEX_RECORDED_H

#include "cpc/lifetimes.h"
#include "run.h"

/*
 * Run the command, count and report. Returns the exit status; or -1 if what is asked for
 * cannot be counted so: then reason, which has size bytes, says why, and nothing has run.
 */
int recorded_run(struct run *r, enum lifetimes_by by, char *reason, size_t size);

#endif
