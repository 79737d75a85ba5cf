/* What rows of CPUs are of, as CSV and JSON name it. */
#ifndef SUITE_ROW_SCOPE_H
#define SUITE_ROW_SCOPE_H

#include "suite/row/row.h"

/* "cpu", "core", "socket", "bin", or "all" for a total; style's scope is not ROW_LWPS. */
const char *row_scope_name(const struct row_style *style, const struct row *row);

#endif
