/* The chart of a run (--chart): in place on a terminal, elsewhere once at the end. */
#ifndef COMMON_CHART_H
#define COMMON_CHART_H

#include "options.h"
#include "screen.h"
#include "suite/record/sink.h"
#include "suite/row/row.h"

/*
 * Return a sink that draws the chart of the rows of a scope on a screen, which must
 * outlive the sink. pids: the rows of LWPs may be of several processes. Exits if memory
 * runs out.
 */
struct sink *chart_sink(enum row_scope scope, int pids, struct screen *screen);

/* Draw such a sink's chart again, in a window of another size. */
void chart_resize(void *sink);

/* Exit with options_bad_long() if the options want a summary or a format of programs. */
void chart_check(const struct options_shared *o);

#endif
