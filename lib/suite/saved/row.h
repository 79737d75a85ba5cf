/* Rows that were saved: records of the kinds sample, total, event and statistic. */
#ifndef SUITE_SAVED_ROW_H
#define SUITE_SAVED_ROW_H

#include "suite/row/row.h"
#include "suite/saved/lines.h"
#include "suite/saved/sets.h"

/* A row, and what its pointers point to. Starts as zeros; the memory is used again. */
struct saved_row {
	struct row row; /* without times: those of perfex -y are left out */
	enum row_scope
		scope; /* of a struct row_style; row.cgroup tells rows of cgroups */
	int has_tick;  /* the row has cycles of the time-stamp counter */
	struct row_statistic statistic;
	cpc_value_t *value;
	const char **of;
	size_t values, names; /* for which value and of have room */
};

/*
 * Fill *r from a record of such a kind, of a run with these sets. The strings are those
 * of the record. Returns 0, or -1 with EINVAL if the record is malformed or does not fit
 * the sets, or with ENOMEM.
 */
int saved_row_read(struct saved_row *r, const struct saved_line *line,
		   const struct saved_sets *sets);
void saved_row_free(struct saved_row *r);

/* Returns the class with a name, or CPC_UNAVAILABLE. */
cpc_class_t saved_class(const char *name);

#endif
