/*
 * Limits, judged with all that runs are compared with: references, whose runs were made
 * next to these in pairs, and runs that were saved at another moment.
 */
#ifndef SUITE_SERIES_LIMITS_H
#define SUITE_SERIES_LIMITS_H

#include "base/text.h"
#include "suite/row/row.h"
#include "suite/series/cells.h"
#include "suite/series/gate.h"

struct limits {
	const struct gate *gate;
	const struct runs *now;
	double alpha; /* the probability of a false alarm */
	unsigned nreferences;
	const struct limits_reference {
		const struct runs *runs; /* with the events of now */
		unsigned number;	 /* of the series in the run of the tool */
	} * reference;
	const struct runs *saved; /* NULL: none */
	const char *saved_name;	  /* the file */
};

/*
 * Check that the limits can be judged with events like those of now, and with a file if
 * the limits have saved runs. Returns 0; or -1 after appending a sentence: an event is
 * not counted, or varies too much to be compared with another moment.
 */
int limits_check(const struct limits *l, struct textbuf *why);

/*
 * Returns 0; or -1 after appending how the command ended, if its runs failed: "'./prog'
 * ended with status 4".
 */
int limits_check_ending(const struct runs *runs, struct textbuf *why);

/* What is done with the limits that were judged: tables, JSON, or nothing. */
struct limits_report {
	/* writes the table of the limits that were judged with what name says */
	void (*put)(struct textbuf *b, const char *name, const struct cells *c);
	struct textbuf *text, *json;	     /* of put(), and of JSON; NULL: none */
	unsigned n, count[GATE_MISSING + 1]; /* all results, and of each kind */
};

/* Judge all limits, which limits_check() has accepted. Returns -1 with ENOMEM. */
int limits_judge(const struct limits *l, struct limits_report *to);

/* A limit and its result. */
struct limits_result {
	const struct gate_limit *limit; /* NULL: the event has none */
	enum gate_result result;
};

/*
 * Judge the limits of event number event of now, with a reference or, if that is NULL,
 * with the saved runs; *found has the one with the worst result. Returns -1 with ENOMEM.
 */
int limits_of_event(const struct limits *l, const struct limits_reference *reference,
		    unsigned event, struct limits_result *found);

/* What all results together mean for the exit status. */
enum limits_outcome {
	LIMITS_PASSED,
	LIMITS_EXCEEDED,
	LIMITS_UNKNOWN /* some have no result, or are unsure, which strict refuses */
};
enum limits_outcome limits_outcome(const struct limits_report *judged, int strict);

/* Append the tables of all limits as text, and their sum. Returns -1 with ENOMEM. */
int limits_put(const struct limits *l, struct textbuf *b);

/* Append the record of the limits. Returns -1 with ENOMEM. */
int limits_put_record(const struct limits *l, struct textbuf *b,
		      const struct row_run *run);

#endif
