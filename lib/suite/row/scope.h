/* The names of the scopes of CPU rows in CSV and JSON. */
#ifndef SUITE_ROW_SCOPE_H
#define SUITE_ROW_SCOPE_H

#include "suite/row/row.h"

/*
 * Return "cpu", "core", "socket", "bin", or "all" for a total. The scope of style is not
 * ROW_LWPS.
 */
const char *row_scope_name(const struct row_style *style, const struct row *row);

#endif
