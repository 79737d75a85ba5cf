/* Which functions have changed between two runs, A and B. */
#ifndef SUITE_WHERE_CHANGE_H
#define SUITE_WHERE_CHANGE_H

#include "suite/where/counts.h"

/* A function of A, of B, or of both, then with the names in B. */
struct where_change {
	const struct where_function *function;
	double a, b;
	int in_a, in_b; /* the function has counts of some event there */
	int is_shared;	/* another function has its name: the source file tells which */
};

/* What has changed; the strings are those of A and B. */
struct where_changes {
	double a, b; /* of the whole runs */
	size_t n;
	struct where_change *change; /* those that differ; the largest changes first */
};

/*
 * Compare event ea of A with event eb of B, which are sorted. Returns 0, or -1 with
 * ENOMEM. Static functions of the same name are the same if their source files are, or if
 * A and B have one each. where_changes_free() is called in each case.
 */
int where_compare(struct where_changes *c, const struct where *a, unsigned ea,
		  const struct where *b, unsigned eb);

/* Fill *c with all counts of a run, as changes from 0. Returns as where_compare(). */
int where_shares(struct where_changes *c, const struct where *w, unsigned event);
void where_changes_free(struct where_changes *c);

/* Returns how many of the changes are worth a line; the others are small, or many. */
size_t where_shown(const struct where_changes *c);

#endif
