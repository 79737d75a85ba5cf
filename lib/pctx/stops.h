/*
 * Handling of what waitpid(2) reports of traced LWPs: the handlers of
 * pctx_set_events(3CPC) are called and the LWPs are resumed.
 */
#ifndef PCTX_STOPS_H
#define PCTX_STOPS_H

#include <sys/types.h>

#include "pctx/table.h"

/* Handles a wait status. May free LWPs and processes of t, but not the root's struct. */
void stops_handle(struct tracer *t, pid_t tid, int status);

/*
 * Resumes an LWP from a stop for the delivery of a signal, as pass of wake_pass(); arg:
 * the tracer. Returns 0, and does nothing, if stops_handle() must handle the stop.
 */
int stops_pass(void *arg, pid_t tid, int sig);

#endif
