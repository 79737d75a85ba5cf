/* The functions whose counts differ between commands (--where). */
#ifndef SUITE_SERIES_FUNCTIONS_H
#define SUITE_SERIES_FUNCTIONS_H

#include "base/text.h"
#include "suite/row/row.h"
#include "suite/series/runs.h"
#include "suite/where/counts.h"

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

/*
 * Append the functions that differ, for each event that differs beyond doubt from a
 * command: counts whose ranges are apart, and those that judge_pairs() finds. Without
 * commands to compare with the functions of b that have the most counts are appended.
 * Nothing is appended if b has no counts by function. Returns 0, or -1 with ENOMEM.
 */
int functions_put(struct textbuf *b, const struct functions_sides *s, int grouped);

/*
 * Append what functions_put() appends as a block of code of Markdown, after an empty
 * line. Returns 0, or -1 with ENOMEM.
 */
int functions_markdown(struct textbuf *b, const struct functions_sides *s);

/*
 * Append a row of CSV for each function that differs, of the same events; without
 * commands to compare with, for each function of b. Returns 0, or -1 with ENOMEM.
 */
int functions_csv(struct textbuf *b, const struct functions_sides *s);
void functions_csv_title(struct textbuf *b);

/* Append a record for each such event. Returns their number, or -1 with ENOMEM. */
int functions_records(struct textbuf *b, const struct functions_sides *s,
		      const struct row_run *run);

#endif
