/* Repeated runs of a command, and comparisons of two commands, as tables of text. */
#ifndef SUITE_SERIES_TABLE_H
#define SUITE_SERIES_TABLE_H

#include "base/text.h"
#include "suite/series/cells.h"
#include "suite/series/judge.h"
#include "suite/series/runs.h"

/* Append a table of cells: a line of titles, and a line for each row. */
void table_put(struct textbuf *b, const struct cells *c);

/*
 * Append the table of the runs of one command: medians, quartiles, ranges and outliers,
 * or for counts that repeat how many runs have the value. grouped: counts have commas
 * between thousands. Returns -1 with ENOMEM.
 */
int table_put_runs(struct textbuf *b, const struct runs *s, int grouped);

/*
 * Append the table of a comparison: medians, changes with intervals, verdicts in words.
 */
void table_put_comparison(struct textbuf *b, const struct judge_comparison *c,
			  int grouped);

/*
 * Append the table of runs and of those that were saved in a file of this name. Returns
 * -1 with ENOMEM.
 */
int table_put_saved(struct textbuf *b, const char *name, const struct runs *saved,
		    const struct runs *now, double alpha, int grouped);

#endif
