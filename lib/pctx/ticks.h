/* The ticks of pctx_run(3CPC). */
#ifndef PCTX_TICKS_H
#define PCTX_TICKS_H

#include "pctx/table.h"

/* Do what is due by now, and set the wake-up for the next. */
void pctx_tick_due(struct tracer *t);

#endif
