/* What is to be said at the end of the values that are not exact. */
#ifndef COMMON_NOTES_H
#define COMMON_NOTES_H

#include <libcpc.h>
#include "suite/row/row.h"

/* Of one request. */
struct note {
	unsigned long rows, missing; /* values printed; those that were unavailable */
	cpc_class_t worst;	     /* of the others */
	uint64_t enabled, running;   /* ns, over all of those */
};

struct notes {
	unsigned nsets;
	const struct row_set *const *set;
	struct note **note; /* [set][request] */
};

/* NULL: ENOMEM. set must outlive it. */
struct notes *notes_new(const struct row_set *const *set, unsigned nsets);

/* NULL is allowed. */
void notes_free(struct notes *n);

/* A row with this value of request i of a set was printed; with these values of all. */
void notes_add_one(struct notes *n, unsigned set, unsigned i, const cpc_value_t *value);
void notes_add(struct notes *n, unsigned set, const cpc_value_t *value);

/* Say it on stderr. Nonzero: some value was not exact (nor simulated). */
int notes_print(const struct notes *n, int simulated);

#endif
