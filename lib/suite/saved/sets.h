/* The sets of events of a run that was saved. */
#ifndef SUITE_SAVED_SETS_H
#define SUITE_SAVED_SETS_H

#include "suite/row/row.h"

struct saved_node;

/* Starts as zeros. The strings are those of the records. */
struct saved_sets {
	unsigned n;
	struct row_set *set;	     /* [n] */
	const struct row_set **each; /* [n]: the addresses of set */
	void **memory;		     /* [n]: of the arrays of each */
};

/*
 * Add a set with the requests of an array of a record, which are the requests of a set or
 * the values of a row. spec may be NULL. Returns 0, or -1 with EINVAL if the requests are
 * malformed, or with ENOMEM. saved_sets_free() is called in each case.
 */
int saved_sets_add(struct saved_sets *s, const struct saved_node *requests,
		   const char *spec);

/* Add the sets of the record of a run. Returns as saved_sets_add(). */
int saved_sets_read(struct saved_sets *s, const struct saved_node *run);
void saved_sets_free(struct saved_sets *s);

#endif
