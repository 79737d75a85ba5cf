/* The functions whose counts differ between commands (--where). */
#ifndef SUITE_SERIES_FUNCTIONS_H
#define SUITE_SERIES_FUNCTIONS_H

#include "base/text.h"
#include "suite/row/row.h"
#include "suite/series/cells.h"
#include "suite/series/runs.h"
#include "suite/where/change.h"

/* A command with its runs, and the counts by function of one more run. */
struct functions_side {
	const char *name;
	int number; /* of the series; negative: saved runs */
	const struct runs *runs;
	const struct where *where; /* NULL: there are none */
};

/* The command b, and those that it is compared with. */
struct functions_sides {
	struct functions_side b;
	unsigned n;
	const struct functions_side *a; /* [n] */
	double alpha;			/* of the judgements */
};

/* An event of b, with the functions whose counts of the event have changed. */
struct functions_event {
	const struct functions_sides *sides;
	const struct functions_side *a; /* what b is compared with, or NULL: nothing */
	unsigned event;			/* of the runs of b */
	int is_first;			/* of the events that differ from a */
	struct where_changes changes;	/* from a to b, or from 0 to b */
};

/* Takes events one by one. A function that returns -1 ends the search. */
struct functions_taker {
	void *arg;
	int (*put)(void *arg, const struct functions_event *e);
};

/*
 * Hand over each event that differs beyond doubt from a command: counts whose ranges are
 * apart, and those that judge_pairs() finds. Without commands to compare with, each event
 * of b that has counts by function is handed over. There is none if b has no counts by
 * function. Returns the number of events; or -1 with ENOMEM, or after put.
 */
int functions_each(const struct functions_sides *s, const struct functions_taker *to);

/*
 * Append the functions that have changed, and without commands to compare with those that
 * have the most counts, for each event of functions_each(). Returns 0, or -1 with ENOMEM.
 */
int functions_put(struct textbuf *b, const struct functions_sides *s, int grouped);

/*
 * Append what functions_put() appends as a block of code of Markdown, after an empty
 * line. Returns 0, or -1 with ENOMEM.
 */
int functions_markdown(struct textbuf *b, const struct functions_sides *s);

/*
 * Make the table of CSV: a row for each function that has changed, of the same events.
 * Returns -1 with ENOMEM. The caller frees the cells in each case.
 */
int functions_numbers(struct cells *c, const struct functions_sides *s);

/* Append the rows of this table. Returns 0, or -1 with ENOMEM. */
int functions_csv(struct textbuf *b, const struct functions_sides *s);
void functions_csv_title(struct textbuf *b);

/*
 * Append a record for each event that differs. Returns their number, or -1 with ENOMEM.
 */
int functions_records(struct textbuf *b, const struct functions_sides *s,
		      const struct row_run *run);

#endif
