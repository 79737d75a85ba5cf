/* Views: the kinds of tables that a report has. */
#ifndef SUITE_PROFILE_VIEW_H
#define SUITE_PROFILE_VIEW_H

#include "suite/profile/group.h"
#include "suite/profile/profile.h"
#include "suite/profile/sheet.h"

struct view_options {
	size_t top;	    /* rows of each event; 0: all */
	uint32_t line_size; /* bytes of a cache line, a power of 2 */
};

/* The columns with which the tables of all views but that of markers begin. */
/* clang-format off */
#define VIEW_COLUMNS \
	{"event", NULL, SHEET_TEXT}, \
	{"number", NULL, SHEET_TEXT}, \
	{"count", NULL, SHEET_NUMBER}, \
	{"percent", "percent", SHEET_PERCENT}, \
	{NULL, "count", SHEET_NUMBER}
/* Two columns for a module: the path for programs, its last part for people. */
#define VIEW_MODULE {"module", NULL, SHEET_TEXT}, {NULL, "module", SHEET_TEXT}
/* clang-format on */

enum { VIEW_NCOLUMNS = 5 };

struct view {
	const char *name;  /* for --by */
	const char *title; /* words that follow the name of the event */
	unsigned details;  /* PROFILE_* that it needs */
	uint8_t id;	   /* LWP_EVENT_* of the records that it shows; 0: all */
	int counts;	   /* 1: it can show exact counts, 0: only records */
	int lines;	   /* 1: it needs source lines */
	unsigned ncolumn;
	const struct sheet_column *column;
	/* Add the rows of a metric. Returns 0, or -1 with ENOMEM. */
	int (*rows)(struct sheet *t, const struct profile *p, unsigned metric,
		    const struct view *v, const struct view_options *o);
	/* Of views by code: the groups, and the cells of one after VIEW_COLUMNS. */
	group_key_t *key;
	void (*fill)(struct sheet *t, struct sheet_cell *cell, const struct profile *p,
		     const struct group *g);
};

/* The members of a view for an array of columns. */
#define VIEW_SHEET(columns) \
	.ncolumn = sizeof(columns) / sizeof(*(columns)), .column = (columns)

/*
 * Add a row and fill the cells of VIEW_COLUMNS. Returns the first cell after these; it is
 * valid until the next row is added.
 */
struct sheet_cell *view_row(struct sheet *t, const struct profile_metric *m,
			    uint64_t value);

/* Fill the cells of VIEW_MODULE. */
void view_module_cells(struct sheet_cell *cell, const struct symbols_frame *f);

/*
 * Return how many of n rows are shown. For the rest the table gets a remark, with the
 * share that value has in the metric unless m is NULL.
 */
size_t view_shown(const struct view_options *o, size_t n);
void view_left_out(struct sheet *t, size_t n, uint64_t value,
		   const struct profile_metric *m);

/* The entries of a tally that belong to a metric, in descending order of their values. */
struct view_entries {
	size_t n;
	unsigned nkey;
	const uint64_t **entry; /* the words of the key, and then the sums */
};

/* Returns 0, or -1 with ENOMEM. */
int view_entries(struct view_entries *e, const struct tally *t, unsigned metric);
void view_entries_free(struct view_entries *e);

/* Call view_left_out() for the entries after the first shown ones. */
void view_entries_left_out(struct sheet *t, const struct view_entries *e, size_t shown,
			   const struct profile_metric *m);

#endif
