/* The ticks of pctx_run(3CPC). */
#ifndef PCTX_TICKS_H
#define PCTX_TICKS_H

#include <stdint.h>

#include "pctx/table.h"

/*
 * Schedules the first tick of a process for one interval after now (ns of
 * CLOCK_MONOTONIC).
 */
void ticks_schedule(struct tracer *t, struct __pctx *p, int64_t now);

/* Takes the ticks that are due, and sets the timer for the next one. */
void ticks_take_due(struct tracer *t);

#endif
