/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The events that are recorded: for each instruction (a site) exact counts of all events,
 * and for each LWP a ring with records of every n-th event of three kinds.
 */
#ifndef SIM_RECORD_EVENTS_H
#define SIM_RECORD_EVENTS_H

#include "pub_tool_basics.h"

#include "sim/model/model.h"
#include "sim/shared/records.h"

/* A counter of the model, and the event that it is part of. */
struct events_part {
	enum sim_counter counter;
	unsigned event;
};

/* The parts whose counts change while a helper runs. */
struct events_parts {
	unsigned n;
	struct events_part part[RECORDS_EVENTS];
};

struct events {
	int on;		   /* this process is recorded */
	uint64_t counters; /* of all events */
	unsigned n;
	struct records_event event[RECORDS_EVENTS];
	int miss; /* the event of misses; -1: there is none */
	/* Of accesses and fetches, without those of miss; of all helpers. */
	struct events_parts accesses, all;
	/*
	 * Of the running LWP: instructions and branches until the next record, in two
	 * fields of which generated code subtracts. EVENTS_DUE has the bits that are set
	 * while none of both is due.
	 */
	uint64_t left;
	int64_t misses_left;		  /* also of the running LWP */
	uint64_t interval[RECORDS_KINDS]; /* 0: no records of this kind */
	struct sim *sim;
	uint64_t (*insns)(void);	 /* as member insns of records */
	uint64_t penalty[SIM_NCOUNTERS]; /* cycles, times 1024 */
};

extern struct events events;

#define EVENTS_DUE UINT64_C(0x8000000080000000)
enum { EVENTS_INSN = 0, EVENTS_BRANCH = 32 /* places of the fields */ };

/* Returns, and sets, how many events are left in a field; a record is due at 0. */
static inline int64_t events_left(unsigned field)
{
	return (int64_t)(uint32_t)(events.left >> field) - 0x7fffffff;
}

static inline void events_set_left(unsigned field, int64_t left)
{
	const uint64_t mask = UINT64_C(0xffffffff) << field;

	events.left = (events.left & ~mask) | (uint64_t)(left + 0x7fffffff) << field;
}

/*
 * Opens the records file of a process that runs s. insns returns how many instructions
 * were counted in the process.
 */
void events_open(const HChar *path, struct sim *s, uint64_t (*insns)(void));

/* Returns the counts of the site at pc. */
uint64_t *events_site(Addr pc);

/* An LWP starts to run; it ends; in the child of fork(2), which it is in. */
void events_start(ThreadId tid, unsigned cpu);
void events_end(ThreadId tid);
void events_forked(ThreadId tid);

/* Stores a record of the running LWP. */
void events_put(struct records_record r);

/*
 * A miss of L1D, of counter d1, which went as far as flags (RECORD_) say, is recorded;
 * misses: the count of misses of its site.
 */
void events_miss_due(const uint64_t *misses, Addr data, enum sim_counter d1,
		     unsigned flags);

/* There were n such misses, 0 or 1. Which of the two has no pattern: nothing branches. */
static inline void events_miss(uint64_t *misses, Addr data, enum sim_counter d1,
			       unsigned flags, uint64_t n)
{
	*misses += n;
	events.misses_left -= (int64_t)n;
	if (__builtin_expect(events.misses_left <= 0, 0))
		events_miss_due(misses, data, d1, flags);
}

/* The counts before a helper. */
struct events_before {
	uint64_t part[RECORDS_EVENTS];
	uint64_t loads, stores, prefetches, l2, l3, transfers;
	Addr data; /* the first address of an access that likely misses */
};

/*
 * Called before and after the model runs: adds what these parts have counted meanwhile to
 * a site, and records misses of the access.
 */
void events_before(struct events_before *b, const struct events_parts *parts, Addr data,
		   UWord size);
void events_after(const struct events_before *b, const struct events_parts *parts,
		  uint64_t *site);

#endif
