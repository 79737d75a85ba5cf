/* Data cache misses of a metric, put together by address or by variable. */
#ifndef SUITE_PROFILE_MISSES_H
#define SUITE_PROFILE_MISSES_H

#include "suite/profile/names.h"
#include "suite/profile/profile.h"

/* A range of addresses, or a variable. */
struct misses_place {
	size_t input;
	uint64_t start;
	uint64_t value, records;
	uint64_t latency;	/* sum over the records, in cycles */
	struct names_data data; /* of misses_by_object() */
	/* The other members are of misses_by_unit(). */
	size_t first, n;    /* entries of the metric */
	unsigned threads;   /* that are known */
	size_t addresses;   /* different ones */
	int shared_address; /* 1: several threads used the same address */
};

struct misses {
	size_t n;
	size_t left_n; /* places that were left out, and the sum of their values */
	uint64_t left_value;
	struct misses_place *place; /* in descending order of their values */
	const struct tally *data;   /* of the profile */
	size_t first;		    /* entry of the metric in data */
};

/* Which places misses_by_unit() makes. */
struct misses_wanted {
	uint64_t unit;	  /* bytes of a place: a power of 2 */
	unsigned threads; /* places that fewer threads use are not counted */
	size_t most; /* places with the largest values; others are left out; 0: all */
};

/* Return 0, or -1 with ENOMEM. */
int misses_by_unit(struct misses *s, const struct profile *p, unsigned metric,
		   const struct misses_wanted *wanted);
int misses_by_object(struct misses *s, const struct profile *p, unsigned metric);
void misses_free(struct misses *s);

struct misses_function {
	struct symbols_frame frame;
	uint64_t value;
};

enum { MISSES_FUNCTIONS = 32 };

/*
 * Fill f with the functions whose instructions missed in a place, in descending order of
 * their values. Returns their number; functions beyond MISSES_FUNCTIONS are left out.
 */
size_t misses_functions(struct misses_function *f, const struct profile *p,
			const struct misses *s, const struct misses_place *place);

#endif
