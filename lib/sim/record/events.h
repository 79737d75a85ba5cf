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
	/* Of the running LWP: events until the next record. Generated code subtracts. */
	int64_t left[RECORDS_KINDS];
	uint64_t interval[RECORDS_KINDS]; /* 0: no records of this kind */
	struct sim *sim;
	uint64_t (*insns)(void);	 /* as member insns of records */
	uint64_t penalty[SIM_NCOUNTERS]; /* cycles, times 1024 */
};

extern struct events events;

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

/* Stores a record of the running LWP, and begins its next interval. */
void events_put(struct records_record r);

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

/* A load missed L1D, and hit the line of L2 that was expected. */
void events_near_miss(uint64_t *site, Addr data);

#endif
