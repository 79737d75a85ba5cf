/* Rows as CSV, with the columns that row.h lists. */
#ifndef SUITE_ROW_CSV_H
#define SUITE_ROW_CSV_H

#include "base/text.h"
#include "suite/row/row.h"

/* Append the header line. */
void row_csv_title(struct textbuf *b, const struct row_style *style);

/* Append the lines of a row, whose set and word are not NULL. */
void row_csv(struct textbuf *b, const struct row_style *style, const struct row *row);

/* Return the mode of request i: "user", "sys", "user+sys", "none"; NULL: not known. */
const char *row_mode(const struct row_set *set, unsigned i);

/*
 * Return the name of a scope of CPUs, cores, sockets or bins: "cpu", "core", "socket" or
 * "bin".
 */
const char *row_division(enum row_scope scope);

/*
 * Return "cgroup", "cpu", "core", "socket", "bin", or "all" for a total of CPUs. The
 * scope of style is not ROW_LWPS.
 */
const char *row_scope_name(const struct row_style *style, const struct row *row);

#endif
