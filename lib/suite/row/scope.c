#include "suite/row/scope.h"

const char *row_scope_name(const struct row_style *style, const struct row *row)
{
	static const char *const names[] = {
		[ROW_CPUS] = "cpu",
		[ROW_CORES] = "core",
		[ROW_SOCKETS] = "socket",
		[ROW_BINS] = "bin",
	};

	return row->kind == ROW_TOTAL ? "all" : names[style->scope];
}
