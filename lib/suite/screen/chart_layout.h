/* Where the parts of a chart go in a window, and which parts it has room for. */
#ifndef SUITE_SCREEN_CHART_LAYOUT_H
#define SUITE_SCREEN_CHART_LAYOUT_H

#include <stddef.h>

#include "suite/screen/chart.h"
#include "suite/screen/frame.h"

/* Bytes of a label: two numbers, and a name whose bytes can become "?". */
enum { LAYOUT_LABEL = 64 };

/* The levels of a row of a strip. */
enum { LAYOUT_LEVELS = 8 };

struct layout {
	const struct chart *chart;
	const struct frame *frame;
	unsigned label, strip; /* widths */
	int range;	       /* ranges are shown */
	unsigned cells;	       /* of a timeline in a column of a strip */
	unsigned columns;      /* of a strip that can have values */
	unsigned events;       /* that are shown, the first ones */
	unsigned rows;	       /* that each of these has, with its title */
	unsigned *line;	       /* room for the numbers of the lines of an event */
};

/* An event, with the lines that are shown. */
struct section {
	int utf8; /* strips have block characters */
	const struct row_set *set;
	unsigned index;	     /* of the event in its set */
	unsigned event;	     /* of the event in the chart */
	unsigned all, shown; /* the lines that have values */
	unsigned height;     /* rows of a strip, above which is an empty row if above 1 */
	double full;	     /* the largest column */
};

/*
 * Lay a chart out that has lines. Returns -1 with ENOMEM. The caller frees l->line.
 */
int layout_make(struct layout *l, const struct chart *c, const struct frame *f);

/*
 * Choose the lines of an event, whose numbers go to l->line, and measure their strips.
 * s->set, index and event are set. Returns -1 with ENOMEM.
 */
int layout_section(const struct layout *l, struct section *s);

/* Return the timeline of a line that is shown, by its place in l->line. */
const struct timeline *layout_timeline(const struct layout *l, const struct section *s,
				       unsigned line);

/* Store the mean of a column of a strip. Returns 0 if the column has no values. */
int layout_mean(const struct layout *l, const struct timeline *s, unsigned column,
		double *mean);

/*
 * Return the label of a line in text, which has LAYOUT_LABEL bytes: "70/2 worker",
 * "2 worker" or "lwp 2"; or "cpu 2" and the like.
 */
const char *layout_label(const struct chart *c, const struct chart_line *l, char *text);

#endif
