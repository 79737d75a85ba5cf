/* Rows as JSON: records, which opencpc-records(5) describes. */
#ifndef SUITE_ROW_JSON_H
#define SUITE_ROW_JSON_H

#include "base/text.h"
#include "suite/row/row.h"

/* Append the line of a row, whose set and word are not NULL. */
void row_json(struct textbuf *b, const struct row_style *style, const struct row *row);

/* Append the beginning of a record: "{", and the members that each record has. */
void row_json_begin(struct textbuf *b, const struct row_run *run, const char *record);

/* Append the members of the time, in ns since the run began. */
void row_json_time(struct textbuf *b, const struct row_run *run, int64_t ns);

/* Append the members that describe request i of a set. */
void row_json_request(struct textbuf *b, const struct row_set *set, unsigned i);

#endif
