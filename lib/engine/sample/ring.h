/*
 * Decodes the ring of an LWP: samples become LWP records. Pure functions. Sources:
 * perf_event_open(2); of IBS: AMD's Processor Programming Reference, MSRs C001_1033 to
 * C001_103B.
 */
#ifndef ENGINE_SAMPLE_RING_H
#define ENGINE_SAMPLE_RING_H

#include "engine/ring/ring.h"
#include "engine/sample/sample.h"

/* What the samples of an event have. */
enum sample_kind {
	SAMPLE_PLAIN,
	SAMPLE_BRANCHES,   /* a stack of branches, whose newest is the record */
	SAMPLE_LOADS,	   /* data address, latency and source of a load */
	SAMPLE_IBS_BRANCH, /* the registers of IBS; an op that is a branch is a record */
	SAMPLE_IBS_LOAD,   /* an op that is a load and missed is a record */
};

/* Returns sample_type (PERF_SAMPLE_*) of a kind. */
uint64_t sample_kind_type(enum sample_kind kind);

/*
 * Returns 1 if a kind is of IBS, which may sample kernel mode, too; those samples are
 * left out.
 */
int sample_kind_is_ibs(enum sample_kind kind);

/* The samples of a perf event. */
struct sample_format {
	uint64_t id; /* PERF_EVENT_IOC_ID */
	uint8_t event;
	enum sample_kind kind;
};

enum { SAMPLE_CORES = 4, SAMPLE_FORMATS = SAMPLE_SOURCES * SAMPLE_CORES };

struct sample_ring {
	struct kernel_ring ring;
	unsigned n;
	struct sample_format format[SAMPLE_FORMATS];
	uint64_t missed; /* samples that do not say what a record needs */
	int executed;	 /* the LWP has executed a program, whose mappings are left out */
};

/* Pass on all before head. */
void sample_ring_read(struct sample_ring *r, uint64_t head,
		      const struct sample_handler *to);

#endif
