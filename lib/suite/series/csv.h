/*
 * Repeated runs and comparisons as numbers for programs: a row for each event and
 * command, and, with the columns of the comparison filled, for each event and reference.
 * opencpc-output(7) describes the columns.
 */
#ifndef SUITE_SERIES_CSV_H
#define SUITE_SERIES_CSV_H

#include "base/text.h"
#include "suite/series/cells.h"
#include "suite/series/judge.h"
#include "suite/series/limits.h"

/* Begin a table with these columns. */
void series_csv_begin(struct cells *c);

/* Add the rows of the runs of a command. Returns -1 with ENOMEM. */
int series_csv_add_runs(struct cells *c, const struct runs *s);

/*
 * Add the rows of the candidate of a comparison, with the results of the limits l, unless
 * that is NULL, judged with a reference, or with the saved runs if that is NULL. Returns
 * -1 with ENOMEM.
 */
int series_csv_add_comparison(struct cells *c, const struct judge_comparison *comparison,
			      const struct limits *l,
			      const struct limits_reference *reference);

/* Append the line of titles. */
void series_csv_title(struct textbuf *b);

/* Append the titles of n columns as a line of CSV, or the rows of any table as lines. */
void series_csv_put_titles(struct textbuf *b, const struct cells_column *column,
			   unsigned n);
void series_csv_put(struct textbuf *b, const struct cells *c);

#endif
