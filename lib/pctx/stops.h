/*
 * What ptrace(2) reports of the LWPs under control, turned into the calls of
 * pctx_set_events(3CPC).
 */
#ifndef PCTX_STOPS_H
#define PCTX_STOPS_H

#include <sys/types.h>

#include "pctx/table.h"

/* Handle what waitpid(2) gave. LWPs and processes may be gone afterwards. */
void pctx_report(struct tracer *t, pid_t tid, int status);

#endif
