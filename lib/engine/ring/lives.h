/*
 * Decodes the records of the lives of LWPs (perf_event_open(2), "MMAP layout"), puts them
 * into the order of time, and joins the values of each LWP. Pure functions.
 */
#ifndef ENGINE_RING_LIVES_H
#define ENGINE_RING_LIVES_H

#include <stdint.h>

#include "engine/lifetimes.h"
#include "engine/ring/ring.h"

struct kernel_life;
struct kernel_run;
struct kernel_values;
struct perf_event_attr;

/* Let all records of an event have the LWP and the time. */
void kernel_lives_stamp(struct perf_event_attr *attr);

/* Let an inherited event write the value of each LWP when the LWP ends. */
void kernel_lives_attr(struct perf_event_attr *attr);

/*
 * An event of the kernel. The value of an evsel is the sum of the values of its events,
 * times factor.
 */
struct kernel_lives_part {
	uint64_t id; /* of PERF_EVENT_IOC_ID */
	unsigned sel;
	uint64_t factor;
	int with_previous; /* it runs at the same time as the part before */
};

/* Starts as zeros but for the first four members, which the caller owns. */
struct kernel_lives {
	unsigned nsel, nparts;
	const struct kernel_lives_part *part; /* [nparts] */
	uint64_t lost;	  /* records that were malformed, or for which memory ran out */
	unsigned n, room; /* records that wait for their turn */
	struct kernel_life *life;
	unsigned nruns;
	struct kernel_run *run;	       /* of the records, each in the order of time */
	unsigned nvalues, values_room; /* LWPs of which some values are known */
	struct kernel_values *values;
};

/* Take the records before head out of a ring. */
void kernel_lives_take(struct kernel_lives *v, struct kernel_ring *ring, uint64_t head);

/* Call fn for what happened until a time, in ns, in the order of time. */
void kernel_lives_emit(struct kernel_lives *v, int64_t until, void *arg,
		       void (*fn)(void *arg, const struct engine_life *life));

/* Call fn for the LWPs of which only some values have come. */
void kernel_lives_end(struct kernel_lives *v, void *arg,
		      void (*fn)(void *arg, const struct engine_life *life));

void kernel_lives_free(struct kernel_lives *v);

#endif
