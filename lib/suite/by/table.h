/* The statistics of joined values as text, CSV and JSON. */
#ifndef SUITE_BY_TABLE_H
#define SUITE_BY_TABLE_H

#include "base/text.h"
#include "suite/by/by.h"

/* Append the table in a format that is not Markdown. Returns 0, or -1 with ENOMEM. */
int by_table(const struct by *b, enum text_format format, struct textbuf *text);

#endif
