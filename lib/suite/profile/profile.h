/*
 * A profile: the records and exact counts of one or more recordings, summed up by
 * instruction, thread, branch, value and data address, with the functions and lines of
 * the instructions. Each address is looked up once, however many records have it.
 */
#ifndef SUITE_PROFILE_PROFILE_H
#define SUITE_PROFILE_PROFILE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <lwp.h>
#include "lwp/recording.h"
#include "suite/profile/tally.h"
#include "symbols/symbols.h"

/* A recording and the address space that it was made in. */
struct profile_input {
	const char *name; /* of the file */
	const struct recording *recording;
	struct symbols *symbols;
};

/* Details that are summed up only if they are requested. */
enum {
	PROFILE_CORES = 1,    /* records by core */
	PROFILE_BRANCHES = 2, /* branches by source and target */
	PROFILE_VALUES = 4,   /* values of LWPVAL by instruction */
	PROFILE_MARKERS = 8,  /* records of LWPINS */
	PROFILE_LATENCY = 16, /* data cache misses by source and latency */
	PROFILE_DATA = 32,    /* data cache misses by address */
	PROFILE_TIME = 64     /* data cache misses by page and time */
};

struct profile_options {
	unsigned details;  /* PROFILE_* */
	const char *event; /* names, separated by commas; NULL: all events */
	int records;	   /* 1: use records also where there are exact counts */
	/* Returns whether a record of a thread (0: not known) is used; NULL: all are. */
	int (*keep)(void *arg, size_t input, const lwp_record_t *r, pid_t tid);
	void *arg;
};

/* What the numbers of a metric are. */
enum profile_number {
	PROFILE_COUNTS,	  /* exact counts */
	PROFILE_WEIGHTED, /* each record stands for an interval of events */
	PROFILE_RECORDS	  /* each record is 1: its interval is not known */
};

/* The numbers of an event. */
struct profile_metric {
	uint8_t id;   /* LWP_EVENT_*, or 0 */
	char *event;  /* such as "dme" */
	char *source; /* such as "simulated r10000"; "" if it is not known */
	enum profile_number number;
	uint64_t total;	   /* of the values */
	uint64_t records;  /* 0 with PROFILE_COUNTS */
	uint64_t interval; /* of all records; 0: they differ, or it is not known */
	int covered;	   /* 1: another metric has exact counts of the event */
};

/* An instruction that has a value of some metric. */
struct profile_code {
	uint64_t ip;
	uint32_t input;
	uint32_t nframe; /* at least 1 */
	size_t frame;	 /* index of its frames in struct profile, the innermost first */
};

struct profile_marker {
	uint32_t input, metric;
	pid_t tid;	/* 0: not known */
	uint64_t index; /* of the record in its ring, from 0 */
	uint64_t since; /* records of the ring since the last marker */
	lwp_record_t record;
};

enum { PROFILE_TIMES = 96 }; /* equal parts of the time with PROFILE_TIME */

struct profile {
	const struct profile_input *input;
	size_t ninput;
	struct profile_metric *metric; /* those of exact counts come first */
	unsigned nmetric;
	struct profile_code *code; /* in ascending order of ip, then input */
	size_t ncode;
	uint64_t *value; /* ncode * nmetric */
	struct symbols_frame *frame;
	uint64_t records; /* that were used */
	uint64_t missed;  /* events that found no room in their ring */
	uint64_t invalid; /* records without an event */
	uint64_t absent;  /* records whose bytes are not in their recording */
	int has_time; /* 1: PROFILE_TIME uses timestamps; 0: the order of the records */
	struct profile_marker *marker;
	size_t nmarker;
	/*
	 * Sorted; the first sums are the value and the number of records. The metric and
	 * the input of a key are in its first word: profile_key().
	 */
	struct tally thread; /* tid */
	struct tally core;   /* core */
	/* source, target; value, records, taken, prediction known, mispredicted */
	struct tally branch;
	struct tally latency; /* LWP_SRC_* as extra, latency in cycles */
	struct tally lwpval;  /* flags as extra, ip, 0 for data2 or 1 for data1, value */
	struct tally data;    /* address, tid, ip; value, records, sum of latencies */
	struct tally time;    /* page, part of the time */
};

/* The first word of a key, and its parts; extra has 32 bits. */
static inline uint64_t profile_key(unsigned metric, size_t input, uint32_t extra)
{
	return (uint64_t)metric << 56 | (uint64_t)input << 32 | extra;
}

static inline unsigned profile_key_metric(uint64_t key)
{
	return (unsigned)(key >> 56);
}

static inline size_t profile_key_input(uint64_t key)
{
	return key >> 32 & 0xffffff;
}

enum { PROFILE_PAGE = 4096 };

/*
 * Sum up the recordings of n inputs, which must outlive the profile. Returns NULL with
 * errno: ENOMEM, or E2BIG if there are more than 255 metrics or 2^24 inputs.
 */
struct profile *profile_new(const struct profile_input *input, size_t n,
			    const struct profile_options *o);
void profile_free(struct profile *p);

/* Return the values of code i, one for each metric. */
const uint64_t *profile_values(const struct profile *p, size_t i);

/* Return the frames of a code. */
const struct symbols_frame *profile_frames(const struct profile *p,
					   const struct profile_code *c);

/* Return the frame of the linker's symbol of an instruction, whether recorded or not. */
struct symbols_frame profile_symbol(const struct profile *p, size_t input, uint64_t ip);

/* Return what the numbers are, such as "exact counts". */
const char *profile_number_name(enum profile_number n);

#endif
