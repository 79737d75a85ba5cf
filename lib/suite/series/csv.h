/*
 * Repeated runs and comparisons as CSV: a row for each event and command, and, with the
 * columns of the comparison filled, for each event and reference. opencpc-output(7)
 * describes the columns.
 */
#ifndef SUITE_SERIES_CSV_H
#define SUITE_SERIES_CSV_H

#include "base/text.h"
#include "suite/series/judge.h"

/* Append the line of titles. */
void series_csv_title(struct textbuf *b);

/* Append the rows of the runs of a command. Returns -1 with ENOMEM. */
int series_csv_runs(struct textbuf *b, const struct runs *s);

/* Append the rows of the candidate of a comparison. Returns -1 with ENOMEM. */
int series_csv_comparison(struct textbuf *b, const struct judge_comparison *c);

#endif
