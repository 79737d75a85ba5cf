/* The changes of a comparison as a chart: intervals beside the line of no change. */
#ifndef SUITE_PAGE_INTERVALS_H
#define SUITE_PAGE_INTERVALS_H

#include "base/text.h"
#include "suite/series/cells.h"
#include "suite/series/gate.h"
#include "suite/series/judge.h"

/*
 * Append the chart of a comparison, whose table is given, with the limits of the events
 * that have one; limits has none or more. Events whose change is no ratio are in the
 * table alone.
 */
void intervals_put(struct textbuf *b, const struct judge_comparison *c,
		   const struct cells *table, const struct gate *limits);

#endif
