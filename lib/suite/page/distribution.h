/*
 * The values of an event in repeated runs as a chart: a point for each run, in the order
 * of the runs, so that a drift is seen; beside it median, quartiles and range.
 */
#ifndef SUITE_PAGE_DISTRIBUTION_H
#define SUITE_PAGE_DISTRIBUTION_H

#include "base/text.h"
#include "suite/series/runs.h"

/*
 * Append the chart of an event in the runs of n commands, which have the same events.
 * Values that are so far away that the others would look alike are marked at the border
 * of the chart, and listed below.
 * Returns -1 with ENOMEM.
 */
int distribution_put(struct textbuf *b, const struct runs *const *arm, unsigned n,
		     unsigned event);

#endif
