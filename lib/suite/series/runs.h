/* The values of repeated runs of a command: a value of each event in each run. */
#ifndef SUITE_SERIES_RUNS_H
#define SUITE_SERIES_RUNS_H

#include <stddef.h>
#include <stdint.h>

#include <libcpc.h>
#include "base/text.h"

enum runs_kind {
	RUNS_NOISY, /* varies with what else the machine does */
	RUNS_COUNT  /* of a simulation, which nothing outside of the program changes */
};

/* An event of all series that are compared. The strings belong to the caller. */
struct runs_event {
	const char *name;
	const char *mode; /* "user", "sys", "user+sys", ""; NULL: not known */
	const char *unit; /* "1", "ns" or "cycles" */
	enum runs_kind kind;
};

/* How each run ended: by a signal, or with an exit status. */
struct runs_ending {
	int signal, status; /* signal 0: none */
};

/* The runs of one command. Starts as zeros, but for the first three members. */
struct runs {
	const char *command;
	unsigned nevents;
	const struct runs_event *event; /* [nevents], which outlive the series */
	struct runs_ending ending;	/* of each run */
	size_t n;			/* runs */
	uint64_t *value;		/* [n][nevents] */
	/* [n][nevents]; a value of the class CPC_UNAVAILABLE means nothing */
	unsigned char *quality;
};

/* Add a run with nevents values and their classes. Returns -1 with ENOMEM. */
int runs_add(struct runs *s, const uint64_t *value, const cpc_class_t *quality);

/* Free the runs. */
void runs_free(struct runs *s);

/*
 * Returns the number of the event with this name and mode, or -1. A mode that is NULL is
 * that of any event; "none" is "".
 */
int runs_find(const struct runs *s, const char *name, const char *mode);

/* Returns the exit status as of a shell: 128 plus the signal, or the status. */
int runs_status(const struct runs_ending *e);

/* Append "ended with status 3", or "was ended by signal 15 (SIGTERM)". */
void runs_put_ending(struct textbuf *b, const struct runs_ending *e);

/* Returns the value of an event in a run. */
uint64_t runs_value(const struct runs *s, size_t run, unsigned event);

/* Returns whether an event has no value in a run. */
int runs_is_missing(const struct runs *s, size_t run, unsigned event);

/* Returns the number of runs in which an event has no value. */
size_t runs_missing(const struct runs *s, unsigned event);

/* Returns the worst class of the values of an event; with no value CPC_UNAVAILABLE. */
cpc_class_t runs_quality(const struct runs *s, unsigned event);

/* Returns the values of an event as an array for free(), or NULL with ENOMEM. */
double *runs_values(const struct runs *s, unsigned event);

/* How many values the runs have, for counts that repeat. */
struct runs_constancy {
	size_t distinct; /* different values */
	uint64_t usual;	 /* the value of the most runs */
	size_t times;	 /* that have it */
	uint64_t least, most;
};

/* Fill *c for an event that has a value in each of at least one run. */
void runs_constancy(struct runs_constancy *c, const struct runs *s, unsigned event);

/*
 * The order of runs is drawn, so that what the machine does at the time meets each
 * command alike: a false alarm is then as rare as the tests of the pairs say, whatever
 * drifts or bursts there are. This is the state of the generator SplitMix64; it starts as
 * the seed.
 */
struct runs_order {
	uint64_t state;
};

/*
 * Fill at[0 .. n - 1] with the numbers 0 to n - 1 in an order of which each is equally
 * probable. Source: Fisher and Yates 1938; Steele, Lea and Flood 2014
 */
void runs_draw_order(struct runs_order *o, unsigned *at, unsigned n);

#endif
