/* The totals that metrics show: of each CPU, core, socket or cgroup. */
#ifndef SUITE_CPUS_PLACES_H
#define SUITE_CPUS_PLACES_H

#include "suite/cpus/interval.h"
#include "suite/row/row.h"

struct place_times {
	uint64_t enabled, running; /* ns */
};

/* The total of a counter over the intervals that gave a value. */
struct place_total {
	uint64_t value;
	struct place_times times;
	enum {
		PLACE_UNKNOWN,
		PLACE_ANNOUNCED, /* it exists, and was not yet sampled */
		PLACE_EMPTY,	 /* it was sampled, and no value was available */
		PLACE_COUNTED	 /* a value was available */
	} state;
	/* of the interval that is being added: the sums over CPUs with a value */
	cpc_value_t sum;
	uint64_t missed;	/* ns enabled of CPUs without a value */
	unsigned cpus, samples; /* CPUs with a value, and all CPUs */
};

/*
 * A CPU, core or socket, or a cgroup there or everywhere. Ids are -1 if not known or not
 * in the scope.
 */
struct place {
	char *cgroup; /* or NULL */
	int cpu, core, socket;
	int gone;		   /* the next interval removes it */
	char *labels;		   /* as text, which the caller makes; or NULL */
	struct place_total *total; /* of all counters, set by set */
};

struct places {
	enum row_scope scope;
	int cgroups;
	unsigned nsets;
	const struct row_set *const *set;
	unsigned ncounters;
	unsigned *first; /* index of the first counter of each set */
	unsigned n;
	struct place *place; /* by cgroup, CPU, core and socket */
	unsigned last;	     /* index of the place that was looked up last */
};

/* Returns -1 with ENOMEM; *p is to be closed also then. */
int places_open(struct places *p, enum row_scope scope, int cgroups,
		const struct row_set *const *set, unsigned nsets);
void places_close(struct places *p);

/* Does a total have samples in the text? */
static inline int place_total_is_shown(const struct place_total *t)
{
	return t->state == PLACE_ANNOUNCED || t->state == PLACE_COUNTED;
}

/* Announce the counters that have a value or had time to be counted. ENOMEM. */
int places_announce(struct places *p, const struct cpu_interval *i);

/* Add all samples of an interval, or none: returns -1 with ENOMEM. */
int places_add(struct places *p, const struct cpu_interval *i);

/* Remove a cgroup when the next interval is added. */
void places_drop(struct places *p, const char *cgroup);

#endif
