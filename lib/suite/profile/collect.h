/* Summing up the records and the exact counts of recordings. */
#ifndef SUITE_PROFILE_COLLECT_H
#define SUITE_PROFILE_COLLECT_H

#include "suite/profile/profile.h"

/*
 * The second word of the keys of codes, whose first is the ip: all metrics of an
 * instruction of an input are neighbours in the sorted tally.
 */
static inline uint64_t collect_key(unsigned metric, size_t input)
{
	return (uint64_t)input << 8 | metric;
}

static inline unsigned collect_metric(uint64_t key)
{
	return key & 0xff;
}

static inline size_t collect_input(uint64_t key)
{
	return key >> 8;
}

/*
 * Fill the metrics, the tallies and the markers of p, whose inputs are set, and codes:
 * the values and the numbers of records by ip and collect_key().
 * The tallies are not sorted. Returns 0, or -1 with ENOMEM or E2BIG; what was allocated
 * is p's in both cases.
 */
int collect(struct profile *p, struct tally *codes, const struct profile_options *o);

#endif
