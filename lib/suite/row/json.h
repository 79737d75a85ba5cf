/* Rows as JSON; the keys are in row.h. */
#ifndef SUITE_ROW_JSON_H
#define SUITE_ROW_JSON_H

#include "base/text.h"
#include "suite/row/row.h"

/* row->set and row->word are not NULL. */
void row_json(struct textbuf *b, const struct row_style *style, const struct row *row);

#endif
