/*
 * The tables of repeated runs and of comparisons as cells: the texts without the layout,
 * which text, Markdown and HTML have each of their own.
 */
#ifndef SUITE_SERIES_CELLS_H
#define SUITE_SERIES_CELLS_H

#include "base/text.h"
#include "suite/series/judge.h"
#include "suite/series/runs.h"

/* What the cells of a column are. */
enum cells_kind {
	CELLS_NAME,    /* a name from outside, which may have any characters */
	CELLS_NUMBER,  /* at the right side of the column */
	CELLS_WORDS,   /* ranges and words, at the left side */
	CELLS_VERDICT, /* the result in words */
	CELLS_REMARK   /* belongs to the cell before, or is empty */
};

struct cells_column {
	char title[24];
	enum cells_kind kind;
	/* the layout of text: the column has at least this width, and blanks follow */
	size_t width, gap;
};

enum { CELLS_COLUMNS = 24 };

/* A table. It starts as zeros. */
struct cells {
	unsigned ncolumn;
	struct cells_column column[CELLS_COLUMNS];
	size_t nrow;
	char **text; /* [nrow][ncolumn] */
	size_t n;    /* texts so far: nrow times ncolumn when the table is complete */
	int failed;  /* 1: an allocation has failed */
};

/*
 * Flags of how a table is shown: counts have commas between thousands, and (with these) a
 * bar below a row shows how the values are spread.
 */
enum { CELLS_GROUPED = 1, CELLS_BARS = 2 };

/*
 * Make the table of the runs of one command: a row for each event. grouped has the flags
 * above. Returns -1 with ENOMEM. The caller frees the cells in each
 * case.
 */
int cells_of_runs(struct cells *c, const struct runs *s, int grouped);

/* The columns of a comparison. */
enum { CELLS_EVENT, CELLS_A, CELLS_B, CELLS_CHANGE, CELLS_INTERVAL, CELLS_OUTCOME };

/* Make the table of a comparison. Returns as cells_of_runs(). */
int cells_of_comparison(struct cells *c, const struct judge_comparison *comparison,
			int grouped);

void cells_free(struct cells *c);

/* Returns the text of a cell. */
const char *cells_text(const struct cells *c, size_t row, unsigned column);

/*
 * The parts from which other tables are made. A table begins with its columns; then the
 * cells are added row by row.
 */
void cells_begin(struct cells *c, const struct cells_column *column, unsigned n);

/*
 * Add a cell. cells_add() moves the text of part into it. cells_add_str() copies a
 * string, and cells_add_real() writes a number as CSV has it; the cell is empty if the
 * string is NULL, or if the number is not known.
 */
void cells_add(struct cells *c, struct textbuf *part);
void cells_add_str(struct cells *c, const char *s);
void cells_add_real(struct cells *c, int known, double v);

/* Returns -1 with ENOMEM if the memory did not suffice. */
int cells_end(struct cells *c);

/*
 * The verdict in the words that a person reads, which depend on whether the event counts
 * time: "faster", "more", "no difference shown".
 */
const char *cells_verdict(const struct runs_event *e, enum judge_verdict v);

#endif
