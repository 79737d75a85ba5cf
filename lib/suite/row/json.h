/* Rows as JSON, with the keys that row.h lists. */
#ifndef SUITE_ROW_JSON_H
#define SUITE_ROW_JSON_H

#include "base/text.h"
#include "suite/row/row.h"

/* Append the line of a row, whose set and word are not NULL. */
void row_json(struct textbuf *b, const struct row_style *style, const struct row *row);

#endif
