/*
 * The gate: has a count grown by more than a limit, beyond doubt? It compares runs with
 * others that were made next to them, in pairs, or with runs that were saved.
 */
#ifndef SUITE_SERIES_GATE_H
#define SUITE_SERIES_GATE_H

#include "base/text.h"
#include "suite/series/cells.h"
#include "suite/series/judge.h"

struct gate_limit {
	char *event;
	double limit; /* 0.02 is 2 %; 0 means "not above" */
	int falls;    /* more is better: the value must not fall by more than the limit */
};

struct gate {
	unsigned n;
	struct gate_limit *limit;
};

/*
 * Add the limits of a text such as "instructions=2%,cache-misses=3%"; "-" before an event
 * means that more is better. The name of an event can contain commas and equals signs.
 * Returns 0; or -1 with EINVAL, and *bad points to the part of text that is malformed, or
 * with ENOMEM.
 */
int gate_add(struct gate *g, const char *text, const char **bad);

void gate_free(struct gate *g);

enum gate_result {
	GATE_OK,
	GATE_UNSURE, /* neither that it is exceeded nor that it is not is beyond doubt */
	GATE_FAIL,
	GATE_TOO_FEW, /* there are too few runs for any statement */
	GATE_MISSING  /* the event has no values to compare */
};

/* Returns the result as the records spell it, such as "fail". */
const char *gate_name(enum gate_result result);

/* Judge event number event by pairs of runs, which judge_pairs() has judged as *j. */
enum gate_result gate_pairs(const struct gate_limit *limit, const struct judgement *j,
			    const struct runs *a, const struct runs *b, unsigned event);

/*
 * Judge by the ranges of the values: event was_event of saved runs, event of new ones. It
 * takes 3 runs of each.
 */
enum gate_result gate_ranges(const struct gate_limit *limit, const struct runs *was,
			     unsigned was_event, const struct runs *now, unsigned event);

/*
 * Can the event be gated against saved runs, at another moment? Counts of a simulation
 * can, and at higher limits counts of instructions in user mode and of page faults. All
 * else varies with what the machine does. Returns NULL, or the smallest limit at which
 * the event can be gated, such as "5 %", or "".
 */
const char *gate_refusal(const struct gate_limit *limit, const struct runs_event *e);

/*
 * What a limit was judged with: event was_event of runs that were, and event of the new
 * ones. judgement is of the pairs of runs, or NULL.
 */
struct gate_evidence {
	const struct judgement *judgement;
	const struct runs *was, *now;
	unsigned was_event, event;
};

/*
 * Make a table of results: a row has the result, the event, the change, the limit, and
 * what the result was judged by, which is the interval of the judgement or, without one,
 * the ranges of the values.
 */
void gate_cells_begin(struct cells *c);
void gate_cells_add(struct cells *c, const struct gate_limit *limit,
		    enum gate_result result, const struct gate_evidence *e);

/* Append the rows of that table as lines of text. */
void gate_put(struct textbuf *b, const struct cells *c);

/*
 * Append the sum of results, without the end of the line: "1 of 3 limits exceeded, 0
 * unsure". count has a number for each result.
 */
void gate_put_sum(struct textbuf *b, const unsigned *count);

#endif
