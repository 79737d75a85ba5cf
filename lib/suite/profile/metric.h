/* The metrics of a profile. */
#ifndef SUITE_PROFILE_METRIC_H
#define SUITE_PROFILE_METRIC_H

#include "suite/profile/profile.h"

/* What two recordings must have alike for their numbers to be added up. */
struct metric_key {
	uint8_t id;
	const char *event;  /* NULL: the id has no name */
	const char *source; /* or NULL */
	enum profile_number number;
	uint64_t interval; /* of each record; 0: not known */
};

/*
 * The metric of the records of an event in a ring: their interval is that of the
 * recording's event or, where the recording has no events, that of the LWPCB.
 */
struct metric_key metric_of_record(const struct recording *r, const lwp_block_t *block,
				   uint8_t id);

/* The metric of the exact counts of event i. */
struct metric_key metric_of_counts(const struct recording *r, uint32_t i);

/* Returns whether the event is in a list of names with commas, or there is no list. */
int metric_selected(const char *list, const struct metric_key *key);

/* Return the index of the metric in p, which is added if it is new; -1 with errno. */
int metric_find(struct profile *p, const struct metric_key *key);

/* Find out which metrics another metric of p covers. */
void metric_cover(struct profile *p);

#endif
