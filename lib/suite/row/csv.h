/* Rows as CSV, with the columns that row.h lists. */
#ifndef SUITE_ROW_CSV_H
#define SUITE_ROW_CSV_H

#include "base/text.h"
#include "suite/row/row.h"

/* Append the header line. */
void row_csv_title(struct textbuf *b, const struct row_style *style);

/* Append the lines of a row, whose set and word are not NULL. */
void row_csv(struct textbuf *b, const struct row_style *style, const struct row *row);

#endif
