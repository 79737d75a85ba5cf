/* Counts by function and their changes as the JSON records of opencpc-records(5). */
#ifndef SUITE_WHERE_JSON_H
#define SUITE_WHERE_JSON_H

#include "base/text.h"
#include "suite/row/row.h"
#include "suite/where/change.h"

/*
 * Append a record for each function of the series of this number. Returns their number.
 */
uint64_t where_json_functions(struct textbuf *b, const struct row_run *run,
			      unsigned series, const struct where *w);

struct saved_node;

/*
 * Add the function of a record of the kind "function". Returns 0, or -1 with EINVAL if
 * the record is malformed, or with ENOMEM.
 */
int where_json_read(struct where *w, const struct saved_node *record);

/* What a record of changes is about. */
struct where_subject {
	const char *event, *mode;
	int reference; /* the number of series A; negative: saved runs */
	unsigned candidate;
};

/* Append the record of the functions that have changed. */
void where_json_changes(struct textbuf *b, const struct row_run *run,
			const struct where_subject *s, const struct where_changes *c);

#endif
