/*
 * The values of each event for each key (a rank, a host, ...), and their statistics. The
 * memory depends on the number of events and keys, and not on the number of values.
 */
#ifndef SUITE_BY_VALUES_H
#define SUITE_BY_VALUES_H

#include "suite/by/names.h"

#include <libcpc.h>

/* What makes an event a row of its own. The strings are not NULL. */
enum values_field {
	VALUES_EVENT,
	VALUES_MODE, /* "" if it is not known, as the next two */
	VALUES_UNIT,
	VALUES_ENGINE,
	VALUES_MODEL,  /* "" with the kernel */
	VALUES_SCOPE,  /* "series" of the medians of repeated runs */
	VALUES_CGROUP, /* "" of other scopes: counts of cgroups include each other */
	VALUES_NTH,    /* "" for the first such event of a run, then "2", "3", ... */
	VALUES_FIELDS
};

/* Counts up to 2^64-1 and medians, which can end with .5, are exact. */
typedef long double values_number;

/* The value of an event for a key. */
struct values_cell {
	values_number value;
	int has_value;
	cpc_class_t quality; /* the worst */
};

struct values_row {
	const char *field[VALUES_FIELDS];
	struct values_cell *cell; /* [cells], by the numbers of the keys */
	unsigned cells;
};

/* Starts as zeros. */
struct values {
	struct names keys;
	struct names ids; /* of the rows: their fields, with a NUL between two */
	struct values_row *row;
	unsigned room;
};

/*
 * Store the number of a row, or of a key, in *number. If *number is a row on entry,
 * values_row() compares that row first, which saves a search. Return 0, or -1 with
 * ENOMEM.
 */
int values_row(struct values *v, const char *const field[VALUES_FIELDS],
	       unsigned *number);
int values_key(struct values *v, const char *key, unsigned *number);

/*
 * Add a value to that of a key in a row. CPC_UNAVAILABLE makes it known that there is no
 * value. Returns 0, or -1 with ENOMEM.
 */
int values_add(struct values *v, unsigned row, unsigned key, values_number value,
	       cpc_class_t quality);
void values_free(struct values *v);

/* The statistics of a row. Keys are numbers. */
struct values_summary {
	unsigned keys; /* all of them, with a value or without */
	unsigned n;    /* with a value; if 0, only keys is set */
	values_number sum, min, median, max;
	int has_sum;		 /* exact addition holds */
	values_number imbalance; /* max / mean, or -1 if the mean is 0 */
	unsigned min_at, max_at;
	cpc_class_t quality; /* the worst */
	int is_mixed;	     /* not all values have this class */
};

/* Compute the statistics of a row. Returns 0, or -1 with ENOMEM. */
int values_summarize(const struct values *v, unsigned row, struct values_summary *s);

#endif
