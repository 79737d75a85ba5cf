/* The metrics of a profile, and the records of a ring. */
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
struct metric_key metric_of_record(const struct recording *r,
				   const struct recording_ring *ring, uint8_t id);

/* The metric of the exact counts of event i. */
struct metric_key metric_of_counts(const struct recording *r, uint32_t i);

/* Returns whether the event is in a list of names with commas, or there is no list. */
int metric_selected(const char *list, const struct metric_key *key);

/* Return the index of the metric in p, which is added if it is new; -1 with errno. */
int metric_find(struct profile *p, const struct metric_key *key);

/* Find out which metrics another metric of p covers. */
void metric_cover(struct profile *p);

/* The records of a ring that are between its tail and its head. */
struct metric_ring {
	const uint8_t *bytes;
	uint64_t n;	     /* records */
	uint64_t tail, size; /* in bytes */
	uint64_t step;	     /* bytes of a record */
	uint64_t missed;     /* events that found no room */
};

/* Find the records of a ring; there are none if the ring or its LWPCB is damaged. */
struct metric_ring metric_ring(const struct recording *r,
			       const struct recording_ring *ring);

/* Return the bytes of record i, of which at least LWP_EVENT_SIZE can be read. */
static inline const uint8_t *metric_slot(const struct metric_ring *ring, uint64_t i)
{
	const uint64_t at = ring->tail + i * ring->step;

	return ring->bytes + (at >= ring->size ? at - ring->size : at);
}

#endif
