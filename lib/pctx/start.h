/* How a process comes under control. */
#ifndef PCTX_START_H
#define PCTX_START_H

#include <sys/types.h>

/*
 * Trace an LWP, and be told of what it creates and executes. created: it is to die with
 * us.
 */
int pctx_seize(pid_t tid, int created);

/* Can a process that we start be traced? 0, or the errno with which it was refused. */
int pctx_try(void);

#endif
