/* Rows as CSV; the columns are in row.h. */
#ifndef SUITE_ROW_CSV_H
#define SUITE_ROW_CSV_H

#include "base/text.h"
#include "suite/row/row.h"

void row_csv_title(struct textbuf *b, const struct row_style *style);

/* row->set and row->word are not NULL. */
void row_csv(struct textbuf *b, const struct row_style *style, const struct row *row);

#endif
