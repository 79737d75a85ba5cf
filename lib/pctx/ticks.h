/* The ticks of pctx_run(3CPC). */
#ifndef PCTX_TICKS_H
#define PCTX_TICKS_H

#include <stdint.h>

#include "pctx/table.h"

/* Give a process its place in time: its first tick comes one interval from now. */
void pctx_tick_schedule(struct tracer *t, struct __pctx *p, int64_t now);

/* Do what is due by now, and set the wake-up for the next. */
void pctx_tick_due(struct tracer *t);

#endif
