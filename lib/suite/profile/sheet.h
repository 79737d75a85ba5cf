/* Sheets: the tables of a report, with the same rows as text, as CSV and as JSON. */
#ifndef SUITE_PROFILE_SHEET_H
#define SUITE_PROFILE_SHEET_H

#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

enum {
	SHEET_COLUMNS = 16, /* the most that a sheet has */
	SHEET_WIDEST = 72   /* characters of a name in text, unless it ends the line */
};

enum sheet_type {
	SHEET_TEXT,
	SHEET_NUMBER,
	SHEET_HEX,     /* 0x and hexadecimal digits */
	SHEET_PERCENT, /* number / of, with two decimals; not known if of is 0 */
	SHEET_CHANGE,  /* number - of, with a sign */
	SHEET_GROWTH   /* 100 * (number - of) / of, with two decimals */
};

struct sheet_column {
	const char *key;   /* in CSV and JSON; NULL: only in text */
	const char *title; /* in text; NULL: only in CSV and JSON */
	enum sheet_type type;
};

struct sheet_cell {
	const char *text; /* lives as long as the sheet; NULL: not known */
	uint64_t number, of;
	int known; /* 1: number is known; texts are known if they are not NULL */
};

/* Starts as zeros but for name, title, ncolumn and column. */
struct sheet {
	const char *name;   /* the view, in CSV and JSON */
	const char *title;  /* lines above the sheet in text; or NULL */
	const char *remark; /* the line below the sheet, likewise */
	int headless;	    /* 1: CSV has no header */
	int blank;	    /* 1: cells that are not known are empty in text, not "-" */
	unsigned ncolumn;
	const struct sheet_column *column;
	size_t nrow, room;
	struct sheet_cell *cell; /* nrow * ncolumn */
	char **string;		 /* that the sheet owns */
	size_t nstring;
	int failed;				 /* 1: an allocation has failed */
	struct sheet_cell unused[SHEET_COLUMNS]; /* of rows for which no memory is left */
};

void sheet_free(struct sheet *t);

/*
 * Add a row of unknown cells, and return its first cell, for the caller to fill until the
 * next row is added. Returns a cell that is not used if memory ran out.
 */
struct sheet_cell *sheet_row(struct sheet *t);

/*
 * Return the text of b as a string of the sheet, and make *b empty. Returns "" if memory
 * ran out.
 */
const char *sheet_string(struct sheet *t, struct textbuf *b);

struct sheet_cell sheet_text(const char *s);
struct sheet_cell sheet_number(uint64_t n);
struct sheet_cell sheet_percent(uint64_t n, uint64_t of);

/*
 * Append the sheet. Texts may have any bytes. In CSV the header comes first, and all
 * rows begin with the name of the view; in JSON each row is an object in a line, with the
 * record "row". In text shorten() makes names as narrow as SHEET_WIDEST, but not in the
 * last column. Sets b->failed if memory ran out while it was made.
 */
void sheet_put(struct textbuf *b, const struct sheet *t, enum text_format format);

/* Append a cell as text: without control characters, and "-" if it is not known. */
void sheet_put_cell(struct textbuf *b, enum sheet_type type, const struct sheet_cell *c);

/* Append 0x and the hexadecimal digits of v. */
void sheet_hex(struct textbuf *b, uint64_t v);

#endif
