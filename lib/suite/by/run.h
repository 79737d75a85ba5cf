/* A run whose records are being joined. */
#ifndef SUITE_BY_RUN_H
#define SUITE_BY_RUN_H

#include "suite/by/by.h"

struct saved_node;

/* A value that may still be replaced by the one of a later report of the run. */
struct by_staged {
	unsigned row;
	values_number value;
	cpc_class_t quality;
};

struct by_run {
	struct saved_node *record;
	const char *engine, *model, *host;
	unsigned number; /* in by.runs */
	int has_key;
	unsigned key; /* of ranks, hosts and labels */
	unsigned nsets;
	unsigned *first; /* [nsets + 1]: the number of the first request of each set */
	unsigned *nth;	 /* [first[nsets]]: 1 for the first such event of the run, ... */
	unsigned *row;	 /* [first[nsets]]: the row of the latest value of each request */
	int is_provisional;
	struct by_staged *staged;
	unsigned nstaged, room, last; /* last: the one of the latest value */
	struct by_run *next, *previous;
};

/*
 * Returns a run for its first record, of which it keeps a copy; or NULL with EINVAL if
 * the record is malformed, or with ENOMEM.
 */
struct by_run *by_run_new(const struct saved_node *record);
void by_run_free(struct by_run *run);

/*
 * Add the values of a record of rows, or of a series, to the run. For CPUs and LWPs they
 * are added to b at once. Return 0; or -1 with EINVAL or ENOMEM.
 */
int by_run_values(struct by *b, struct by_run *run, const struct saved_node *record);
int by_run_series(struct by *b, struct by_run *run, const struct saved_node *record);

/* Add what the run has to the values of its key. Returns 0, or -1 with ENOMEM. */
int by_run_commit(struct by *b, const struct by_run *run, const char *path);

#endif
